#include "formats/formats_parts.h"

#include <libdeflate.h>
#include <math.h>
#include <string.h>

enum {
    NUMBER = 4,
    BEFORE_PIXELS = 8 + 12 + 13, /* of a PNG: its signature and its header's chunk */
    PER_SECOND = 1000
};

typedef struct Apng {
    Film film;
    Png *png;
    char head[BEFORE_PIXELS]; /* the first frame's, which is as large as the film */
    Writer frames;            /* their chunks, but for the last one's */
    size_t frame_count;
    size_t number; /* of the next chunk of a frame */
    size_t x, y, w, h;
    double seconds; /* of the last frame, which the PNG has */
} Apng;

static void put_number(Writer *writer, size_t number) {
    char bytes[NUMBER];
    for (int i = 0; i < NUMBER; i++)
        bytes[i] = (char)(number >> (24 - 8 * i) & 0xFF);
    writer_put(writer, bytes, NUMBER);
}

/* Ends a chunk that begins at `start` with room for its length. */
static void end_chunk(Writer *writer, size_t start) {
    size_t size = writer->length - start - 2 * NUMBER;
    for (int i = 0; i < NUMBER; i++)
        writer->text[start + (size_t)i] = (char)(size >> (24 - 8 * i) & 0xFF);
    put_number(writer, libdeflate_crc32(0, writer->text + start + NUMBER, NUMBER + size));
}

static size_t begin_chunk(Writer *writer, const char *name) {
    size_t start = writer->length;
    put_number(writer, 0);
    writer_put(writer, name, NUMBER);
    return start;
}

/* Writes a frame's duration, and that it replaces the pixels below it. */
static void put_frame_head(Apng *apng) {
    Writer *frames = &apng->frames;
    size_t start = begin_chunk(frames, "fcTL");
    put_number(frames, apng->number++);
    put_number(frames, apng->w);
    put_number(frames, apng->h);
    put_number(frames, apng->x);
    put_number(frames, apng->y);
    size_t time = (size_t)fmin(round(apng->seconds * PER_SECOND), UINT16_MAX);
    char tail[] = {(char)(time >> 8),
                   (char)(time & 0xFF),
                   PER_SECOND >> 8,
                   (char)(PER_SECOND & 0xFF),
                   0,
                   0};
    writer_put(frames, tail, sizeof tail);
    end_chunk(frames, start);
}

/* Writes the last frame's chunks: a PNG's pixels under another name. */
static void put_frame(Apng *apng) {
    size_t size = 0;
    Error error;
    const uint8_t *bytes = png_pack(apng->png, &size, &error);
    vector_need(apng->film.arena, bytes);
    const uint8_t *pixels = bytes + BEFORE_PIXELS;
    size_t length = (size_t)pixels[0] << 24 | (size_t)pixels[1] << 16 |
                    (size_t)pixels[2] << 8 | pixels[3];
    put_frame_head(apng);
    bool first = apng->frame_count++ == 0;
    if (first)
        memcpy(apng->head, bytes, sizeof apng->head);
    size_t start = begin_chunk(&apng->frames, first ? "IDAT" : "fdAT");
    if (!first)
        put_number(&apng->frames, apng->number++);
    writer_put(&apng->frames, (const char *)pixels + 2 * NUMBER, length);
    end_chunk(&apng->frames, start);
}

/* A page like the last one lets that be seen longer. */
static void add_page(Deck *deck, const DeckPage *page) {
    Apng *apng = deck->own;
    const Film *film = &apng->film;
    bool first = film->width == 0;
    Error error;
    film_paint(&apng->film, page);
    if (!first && !film->w) {
        apng->seconds += page->seconds;
        return;
    }
    if (!first)
        put_frame(apng);
    apng->x = first ? 0 : film->x;
    apng->y = first ? 0 : film->y;
    apng->w = first ? film->width : film->w;
    apng->h = first ? film->height : film->h;
    apng->seconds = page->seconds;
    vector_need(deck->arena, png_begin(apng->png, apng->w, apng->h, &error));
    png_add(apng->png, film->now + apng->y * film->width + apng->x, apng->h, film->width);
}

static bool save(Deck *deck, const char *path, Error *error) {
    Apng *apng = deck->own;
    Writer head = {.arena = deck->arena};
    put_frame(apng);
    writer_put(&head, apng->head, sizeof apng->head);
    size_t start = begin_chunk(&head, "acTL");
    put_number(&head, apng->frame_count);
    put_number(&head, 0); /* again and again */
    end_chunk(&head, start);
    end_chunk(&apng->frames, begin_chunk(&apng->frames, "IEND"));
    WholeFile file;
    whole_file_begin(&file, path);
    whole_file_add(&file, head.text, head.length);
    whole_file_add(&file, apng->frames.text, apng->frames.length);
    return whole_file_end(&file, error);
}

static void finish(Deck *deck) {
    Apng *apng = deck->own;
    painter_destroy(apng->film.painter);
    png_destroy(apng->png);
}

static void begin(Deck *deck) {
    Apng *apng = deck->own;
    apng->film.arena = apng->frames.arena = deck->arena;
    apng->png = png_create();
    vector_need(deck->arena, apng->png);
}

const DeckKind apng_deck = {"a film", sizeof(Apng), begin, add_page, save, finish, NULL};
