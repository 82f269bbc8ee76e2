#include "formats/formats_parts.h"

#include <math.h>
#include <string.h>

enum {
    COLORS = 256,
    BITS = 5, /* of a channel, while colours are counted */
    SHADES = 1 << 3 * BITS,
    CODES = 4096,
    CLEAR = COLORS,
    END = COLORS + 1,
    BLOCK = 255,
    PER_SECOND = 100
};

/* Pixels of nearly the same colour. */
typedef struct Shade {
    uint32_t count, sum[3];
    uint8_t index; /* of its colour in the palette */
} Shade;

typedef struct Gif {
    Film film;
    Writer file;
    size_t delay_at;          /* where the last frame's time stands */
    double seconds;           /* of the last frame */
    Shade *shades;            /* SHADES of them */
    uint16_t *met;            /* those that the frame has */
    uint16_t (*next)[COLORS]; /* the code of a code and a colour behind it */
} Gif;

/* ---- colours ---- */

static size_t shade_of(uint32_t pixel) {
    return (pixel >> 19 & 31) << 2 * BITS | (pixel >> 11 & 31) << BITS |
           (pixel >> 3 & 31);
}

static uint32_t channel(const Shade *shade, int c) {
    return shade->sum[c] / shade->count;
}

/* Counts the part's shades; *count of them. */
static void count_shades(Gif *gif, const Film *film, size_t *count) {
    memset(gif->shades, 0, SHADES * sizeof *gif->shades);
    *count = 0;
    for (size_t y = film->y; y < film->y + film->h; y++) {
        for (size_t x = film->x; x < film->x + film->w; x++) {
            uint32_t pixel = film->now[y * film->width + x];
            Shade *shade = &gif->shades[shade_of(pixel)];
            if (!shade->count++)
                gif->met[(*count)++] = (uint16_t)shade_of(pixel);
            for (int c = 0; c < 3; c++)
                shade->sum[c] += pixel >> (16 - 8 * c) & 0xFF;
        }
    }
}

/* Shades that share a colour: met[first] … before `end`. */
typedef struct Group {
    size_t first, end;
    int widest;      /* channel */
    uint32_t spread; /* how far they lie apart there */
} Group;

static Group group_of(const Gif *gif, size_t first, size_t end) {
    Group group = {first, end, 0, 0};
    uint32_t least[3] = {255, 255, 255}, most[3] = {0};
    for (size_t i = first; i < end; i++) {
        const Shade *shade = &gif->shades[gif->met[i]];
        for (int c = 0; c < 3; c++) {
            uint32_t value = channel(shade, c);
            least[c] = value < least[c] ? value : least[c];
            most[c] = value > most[c] ? value : most[c];
        }
    }
    for (int c = 1; c < 3; c++) {
        if (most[c] - least[c] > most[group.widest] - least[group.widest])
            group.widest = c;
    }
    group.spread = most[group.widest] - least[group.widest];
    return group;
}

/* Splits a group in the middle of its widest channel; returns the first index of the
 * second part. */
static size_t part(Gif *gif, const Group *group) {
    double sum = 0;
    size_t low = group->first;
    for (size_t i = group->first; i < group->end; i++)
        sum += channel(&gif->shades[gif->met[i]], group->widest);
    double middle = sum / (double)(group->end - group->first);
    for (size_t i = group->first; i < group->end; i++) {
        uint16_t shade = gif->met[i];
        if (channel(&gif->shades[shade], group->widest) > middle)
            continue;
        gif->met[i] = gif->met[low];
        gif->met[low++] = shade;
    }
    return low < group->end ? low : group->end - 1;
}

/* The colours of the part that changed, and which shade has which. */
static void choose_colors(Gif *gif, const Film *film, uint8_t palette[COLORS][3]) {
    Group groups[COLORS];
    size_t shades, count = 1;
    count_shades(gif, film, &shades);
    groups[0] = group_of(gif, 0, shades);
    while (count < COLORS) {
        size_t widest = 0;
        for (size_t i = 1; i < count; i++) {
            if (groups[i].spread > groups[widest].spread)
                widest = i;
        }
        Group group = groups[widest];
        if (group.spread == 0)
            break;
        size_t second = part(gif, &group);
        groups[widest] = group_of(gif, group.first, second);
        groups[count++] = group_of(gif, second, group.end);
    }
    memset(palette, 0, COLORS * sizeof *palette);
    for (size_t i = 0; i < count; i++) {
        double sum[3] = {0}, pixels = 0;
        for (size_t k = groups[i].first; k < groups[i].end; k++) {
            Shade *shade = &gif->shades[gif->met[k]];
            shade->index = (uint8_t)i;
            pixels += shade->count;
            for (int c = 0; c < 3; c++)
                sum[c] += shade->sum[c];
        }
        for (int c = 0; c < 3; c++)
            palette[i][c] = (uint8_t)lround(sum[c] / pixels);
    }
}

/* ---- codes ---- */

typedef struct Packer {
    Writer *file;
    uint32_t bits;
    int held; /* bits that wait for a byte */
    int width;
    uint8_t block[BLOCK];
    size_t length;
} Packer;

static void put_byte(Writer *writer, size_t byte) {
    char c = (char)(byte & 0xFF);
    writer_put(writer, &c, 1);
}

static void put_two(Writer *writer, size_t value) {
    put_byte(writer, value);
    put_byte(writer, value >> 8);
}

static void end_block(Packer *packer) {
    if (!packer->length)
        return;
    put_byte(packer->file, packer->length);
    writer_put(packer->file, (const char *)packer->block, packer->length);
    packer->length = 0;
}

static void put_code(Packer *packer, uint32_t code) {
    packer->bits |= code << packer->held;
    packer->held += packer->width;
    for (; packer->held >= 8; packer->held -= 8, packer->bits >>= 8) {
        packer->block[packer->length++] = (uint8_t)packer->bits;
        if (packer->length == BLOCK)
            end_block(packer);
    }
}

/* LZW: texts that were met get codes of their own. */
static void put_pixels(Gif *gif, const Film *film) {
    Packer packer = {.file = &gif->file, .width = 9};
    uint32_t code = CODES, count = END + 1;
    put_byte(&gif->file, 8);
    put_code(&packer, CLEAR);
    memset(gif->next, 0, CODES * sizeof *gif->next);
    for (size_t i = 0; i < film->w * film->h; i++) {
        uint32_t pixel =
            film->now[(film->y + i / film->w) * film->width + film->x + i % film->w];
        uint8_t color = gif->shades[shade_of(pixel)].index;
        if (code == CODES) {
            code = color;
        } else if (gif->next[code][color]) {
            code = gif->next[code][color];
        } else {
            put_code(&packer, code);
            gif->next[code][color] = (uint16_t)count;
            if (count == 1U << packer.width && packer.width < 12)
                packer.width++;
            if (++count == CODES) {
                put_code(&packer, CLEAR);
                memset(gif->next, 0, CODES * sizeof *gif->next);
                packer.width = 9;
                count = END + 1;
            }
            code = color;
        }
    }
    put_code(&packer, code);
    put_code(&packer, END);
    packer.width = 7; /* what is left of the last byte */
    put_code(&packer, 0);
    end_block(&packer);
    put_byte(&gif->file, 0);
}

/* ---- frames ---- */

static void begin_file(Gif *gif) {
    writer_text(&gif->file, "GIF89a");
    put_two(&gif->file, gif->film.width);
    put_two(&gif->file, gif->film.height);
    writer_put(&gif->file, "\x70\0\0", 3); /* no colours for all frames */
    writer_put(&gif->file, "\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0",
               19); /* again and again */
}

static void put_frame(Gif *gif) {
    const Film *film = &gif->film;
    uint8_t palette[COLORS][3];
    writer_put(&gif->file, "\x21\xF9\x04\x04", 4); /* what is there stays */
    gif->delay_at = gif->file.length;
    writer_put(&gif->file, "\0\0\0\0\x2C", 5);
    put_two(&gif->file, film->x);
    put_two(&gif->file, film->y);
    put_two(&gif->file, film->w);
    put_two(&gif->file, film->h);
    put_byte(&gif->file, 0x87); /* 256 colours of its own */
    choose_colors(gif, film, palette);
    writer_put(&gif->file, (const char *)palette, sizeof palette);
    put_pixels(gif, film);
}

/* Sets the duration of the last frame. */
static void set_delay(Gif *gif) {
    size_t time = (size_t)fmin(round(gif->seconds * PER_SECOND), UINT16_MAX);
    gif->file.text[gif->delay_at] = (char)(time & 0xFF);
    gif->file.text[gif->delay_at + 1] = (char)(time >> 8);
}

/* A page like the last one lets that be seen longer. */
static void add_page(Deck *deck, const DeckPage *page) {
    Gif *gif = deck->own;
    bool first = gif->film.width == 0;
    film_paint(&gif->film, page);
    if (first)
        begin_file(gif);
    gif->seconds = page->seconds + (first || gif->film.w ? 0 : gif->seconds);
    if (gif->film.w)
        put_frame(gif);
    set_delay(gif);
}

static bool save(Deck *deck, const char *path, Error *error) {
    Gif *gif = deck->own;
    writer_text(&gif->file, ";");
    return whole_file_write(path, gif->file.text, gif->file.length, error);
}

static void finish(Deck *deck) {
    Gif *gif = deck->own;
    painter_destroy(gif->film.painter);
}

static void begin(Deck *deck) {
    Gif *gif = deck->own;
    gif->film.arena = gif->file.arena = deck->arena;
    gif->shades = arena_alloc(deck->arena, SHADES, sizeof *gif->shades);
    gif->met = arena_alloc(deck->arena, SHADES, sizeof *gif->met);
    gif->next = arena_alloc(deck->arena, CODES, sizeof *gif->next);
}

const DeckKind gif_deck = {"a film", sizeof(Gif), begin, add_page, save, finish, NULL};
