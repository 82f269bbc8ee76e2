#include "files/files.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST = 0x7FFFFFFF, /* PNG's largest length */
    HEADER_AT = 8,        /* bytes of the file in front of the header's chunk */
    PIXELS_AT = 33,       /* bytes of the file in front of the pixels' chunk */
    CHUNK_HEAD = 8,       /* bytes of a chunk's length and type */
    FILTER_NONE = 0,
    PIXEL = 3,     /* bytes */
    ROW_SLACK = 8, /* bytes that put_row may write behind a row */
    HASH_BITS = 12
};

/* The numbers of deflate. */
enum {
    BLOCK_END = 256,        /* symbol of a block's end; smaller symbols are bytes */
    FIRST_LENGTH = 257,     /* first symbol of a match's length */
    LITERALS = 286,         /* symbols of the first alphabet: bytes and lengths */
    DISTANCES = 30,         /* symbols of the second: distances of matches */
    CODE_BITS = 15,         /* of the longest code */
    SHORTEST_MATCH = 3,     /* bytes */
    LONGEST_MATCH = 258,    /* bytes */
    FARTHEST = 1 << 15,     /* bytes from a match back to what it repeats */
    BLOCK_TOKENS = 1 << 15, /* a block ends with the row in which it gets more tokens */
    TOKEN_BYTES = 6,        /* largest size of a token's codes */
    BLOCK_BYTES = 512       /* room for the head and the end of a block, or of the file */
};

/* Codes of an alphabet. */
typedef struct Codes {
    uint32_t counts[LITERALS]; /* of each symbol */
    uint8_t lengths[LITERALS]; /* bits of its code; 0: it isn't used */
    uint16_t codes[LITERALS];  /* the first bit is the lowest */
} Codes;

/* The file being written. */
typedef struct Output {
    uint8_t *bytes; /* owned */
    size_t size, room;
    uint64_t bits; /* bits that aren't a byte yet; the first is the lowest */
    unsigned bit_count;
    bool failed; /* there was no memory */
} Output;

struct Png {
    size_t width, height;
    Output out;
    uint8_t *window;  /* the last rows as PNG stores them; owned */
    size_t filled;    /* bytes in it */
    uint32_t dropped; /* bytes of rows that are no longer in it, modulo 2^32 */
    uint32_t seen[1 << HASH_BITS]; /* by hash: the byte, as `dropped` counts them, at
                                      which a pair of pixels was met last */
    uint32_t *tokens; /* of the present block: a byte, or a match with its length in the
                         upper half and its distance less 1 in the lower; owned */
    size_t token_count;
    Codes literals, distances; /* of the present block */
    uint32_t checksum;         /* Adler-32 of all rows */
};

/* ---- deflate ----
 *
 * A page is flat areas, rows that repeat, and letters, so only three matches are tried at
 * a pixel: the pixel on its left again and again, the pixels above, and the last place
 * with the same two pixels. A library's compressor, libdeflate, takes four times as long
 * at its level 6, for a sixth fewer bytes, and three times as long at its level 1.
 * Source: P. Deutsch, DEFLATE Compressed Data Format Specification, RFC 1951, 1996. */

/* A number in the order of bytes of deflate, the lowest first; or such bytes as a number.
 */
static uint64_t little(uint64_t number) {
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(number) : number;
}

static uint64_t load_8(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return little(bytes);
}

static void store_8(uint8_t *to, uint64_t number) {
    uint64_t bytes = little(number);
    memcpy(to, &bytes, sizeof bytes);
}

static bool make_room(Output *out, size_t more) {
    if (out->failed || out->room - out->size >= more)
        return !out->failed;
    size_t room = 2 * out->room + more;
    uint8_t *bytes = realloc(out->bytes, room);
    out->failed = !bytes;
    if (bytes) {
        out->bytes = bytes;
        out->room = room;
    }
    return bytes;
}

static void put_bits(Output *out, uint64_t bits, unsigned count) {
    out->bits |= bits << out->bit_count;
    out->bit_count += count;
}

/* Moves whole bytes into the file; there are fewer than 64 bits. */
static void flush(Output *out) {
    store_8(out->bytes + out->size, out->bits);
    out->size += out->bit_count / 8;
    out->bits >>= out->bit_count & ~7u;
    out->bit_count &= 7;
}

static unsigned highest_bit(uint32_t number) {
    return 31 - (unsigned)__builtin_clz(number);
}

/* Lengths and distances have 2^kept symbols for each power of two. Returns the number of
 * bits that follow the symbol of one. */
static unsigned bits_behind(uint32_t number, unsigned kept) {
    return number >> kept ? highest_bit(number) - kept : 0;
}

static unsigned symbol_of(uint32_t number, unsigned kept) {
    unsigned bits = bits_behind(number, kept);
    return (bits << kept) + (number >> bits);
}

static unsigned length_symbol(uint32_t length) {
    return length == LONGEST_MATCH ? LITERALS - 1
                                   : FIRST_LENGTH + symbol_of(length - SHORTEST_MATCH, 2);
}

/* Divides 2^CODE_BITS among the symbols that are used, in powers of two: at first each
 * gets at most its part of the counts; then, until nothing is left, shares are doubled,
 * those first that are at most 2/3 of the part. Such codes are 0.1 % longer than
 * Huffman's. */
static void share_out(const Codes *codes, size_t symbols, uint32_t *shares) {
    const uint32_t whole = 1 << CODE_BITS;
    uint32_t left = whole;
    uint64_t total = 0;
    for (size_t i = 0; i < symbols; i++)
        total += codes->counts[i];
    for (size_t i = 0; i < symbols; i++) {
        uint64_t part = codes->counts[i] * (whole - symbols) / total;
        shares[i] = codes->counts[i] ? 1u << highest_bit((uint32_t)part | 1) : 0;
        left -= shares[i];
    }
    for (uint64_t halves = 3; left > 0; halves -= halves > 0) {
        for (uint32_t share = whole / 2; share > 0; share /= 2) {
            for (size_t i = 0; i < symbols && share <= left; i++) {
                if (shares[i] == share &&
                    2 * codes->counts[i] * (uint64_t)whole >= halves * share * total) {
                    shares[i] *= 2;
                    left -= share;
                }
            }
        }
    }
}

/* Makes codes from the counts, at least two of which aren't 0. */
static void make_codes(Codes *codes, size_t symbols) {
    uint32_t shares[LITERALS], next = 0;
    share_out(codes, symbols, shares);
    memset(codes->lengths, 0, sizeof codes->lengths);
    for (unsigned length = 1; length <= CODE_BITS; length++) {
        for (size_t i = 0; i < symbols; i++) {
            if (shares[i] != 1u << (CODE_BITS - length))
                continue;
            uint32_t reversed = 0;
            for (unsigned bit = 0; bit < length; bit++)
                reversed |= (next >> (CODE_BITS - 1 - bit) & 1) << bit;
            codes->codes[i] = (uint16_t)reversed;
            codes->lengths[i] = (uint8_t)length;
            next += shares[i];
        }
    }
}

static void count_symbols(Png *png) {
    uint32_t *literals = png->literals.counts, *distances = png->distances.counts;
    memset(literals, 0, sizeof png->literals.counts);
    memset(distances, 0, sizeof png->distances.counts);
    /* Some readers refuse a code of one symbol. */
    literals[BLOCK_END] = literals[0] = distances[0] = distances[1] = 1;
    for (size_t i = 0; i < png->token_count; i++) {
        uint32_t token = png->tokens[i], length = token >> 16;
        literals[length ? length_symbol(length) : token]++;
        if (length)
            distances[symbol_of(token & 0xFFFF, 1)]++;
    }
}

/* Writes what a block begins with: the lengths of its codes, each as a number of four
 * bits. For that, 16 of the 19 symbols that lengths are written in have codes of four
 * bits; the other three, which come first, have none. */
static void put_block_head(Output *out, const Png *png, bool last) {
    enum { SYMBOLS = 19, UNUSED = 3, OWN_CODES = 2 };
    put_bits(out, last, 1);
    put_bits(out, OWN_CODES, 2);
    put_bits(out, LITERALS - 257, 5);
    put_bits(out, DISTANCES - 1, 5);
    put_bits(out, SYMBOLS - 4, 4);
    for (int i = 0; i < SYMBOLS; i++) {
        flush(out);
        put_bits(out, i < UNUSED ? 0 : 4, 3);
    }
    for (size_t i = 0; i < LITERALS + DISTANCES; i++) {
        unsigned length = i < LITERALS ? png->literals.lengths[i]
                                       : png->distances.lengths[i - LITERALS];
        flush(out);
        for (int bit = 3; bit >= 0; bit--)
            put_bits(out, length >> bit & 1, 1);
    }
    flush(out);
}

static void put_code(Output *out, const Codes *codes, unsigned symbol) {
    put_bits(out, codes->codes[symbol], codes->lengths[symbol]);
}

/* Writes the bits that follow the symbol of a length or a distance. */
static void put_rest(Output *out, uint32_t number, unsigned kept) {
    unsigned bits = bits_behind(number, kept);
    put_bits(out, number & ((1u << bits) - 1), bits);
}

/* Writes the tokens as a block. */
static void end_block(Png *png, bool last) {
    const Codes *literals = &png->literals, *distances = &png->distances;
    count_symbols(png);
    make_codes(&png->literals, LITERALS);
    make_codes(&png->distances, DISTANCES);
    if (!make_room(&png->out, png->token_count * TOKEN_BYTES + BLOCK_BYTES))
        return;
    Output out = png->out; /* a copy, which can be kept in registers */
    put_block_head(&out, png, last);
    for (size_t i = 0; i < png->token_count; i++) {
        uint32_t token = png->tokens[i], length = token >> 16, distance = token & 0xFFFF;
        put_code(&out, literals, length ? length_symbol(length) : token);
        if (length) {
            if (length < LONGEST_MATCH)
                put_rest(&out, length - SHORTEST_MATCH, 2);
            put_code(&out, distances, symbol_of(distance, 1));
            put_rest(&out, distance, 1);
        }
        flush(&out);
    }
    put_code(&out, literals, BLOCK_END);
    flush(&out);
    png->out = out;
    png->token_count = 0;
}

/* ---- rows ---- */

/* Returns the number of bytes, of at most `most`, that equal those a distance back. */
static size_t count_equal(const uint8_t *bytes, size_t distance, size_t most) {
    const uint8_t *earlier = bytes - distance;
    size_t i = 0;
    for (; most - i >= 8; i += 8) {
        uint64_t differing = load_8(bytes + i) ^ load_8(earlier + i);
        if (differing)
            return i + (size_t)__builtin_ctzll(differing) / 8;
    }
    while (i < most && bytes[i] == earlier[i])
        i++;
    return i;
}

/* Returns how far back a pair of pixels with the same hash was met last, which may be
 * anything if there was none; the next such pair finds this one. */
static uint32_t look_up(Png *png, const uint8_t *pair) {
    uint64_t hash = (load_8(pair) << 16) * 0x9E3779B97F4A7C15u >> (64 - HASH_BITS);
    uint32_t here = png->dropped + (uint32_t)(pair - png->window);
    uint32_t distance = here - png->seen[hash];
    png->seen[hash] = here;
    return distance;
}

/* Adds the tokens of the row behind the window's filled bytes. */
static void add_tokens(Png *png, size_t row_bytes) {
    enum { LONG = 24 }; /* bytes of a match beside which no other is tried */
    const uint8_t *next = png->window + png->filled + 1, *end = next + row_bytes - 1;
    uint32_t *token = png->tokens + png->token_count;
    *token++ = FILTER_NONE;
    while (next < end) {
        size_t most = (size_t)(end - next), length = 0, distance = 0;
        for (int i = 0; i < 3 && length < LONG; i++) {
            size_t back = i == 0      ? PIXEL
                          : i == 1    ? row_bytes
                          : most >= 8 ? look_up(png, next)
                                      : 0;
            if (back == 0 || back > FARTHEST || back > (size_t)(next - png->window))
                continue;
            size_t count = count_equal(next, back, most);
            if (count > length) {
                length = count;
                distance = back;
            }
        }
        length -= length % PIXEL;
        for (size_t i = 0; i < PIXEL && length == 0; i++)
            *token++ = next[i];
        next += length ? length : PIXEL;
        for (size_t part; length > 0; length -= part) {
            part = length < LONGEST_MATCH ? length : LONGEST_MATCH;
            *token++ = (uint32_t)(part << 16 | (distance - 1));
        }
    }
    png->token_count = (size_t)(token - png->tokens);
}

/* Red, green and blue, the first being the lowest byte. */
static uint64_t rgb_of(uint32_t pixel) {
    return __builtin_bswap32(pixel) >> 8;
}

/* Stores a row as PNG does, and up to ROW_SLACK bytes more, which the next one replaces.
 */
static void put_row(uint8_t *to, const uint32_t *row, size_t width) {
    *to++ = FILTER_NONE;
    for (size_t x = 0; x < width; x += 2, to += 2 * PIXEL)
        store_8(to,
                rgb_of(row[x]) | (x + 1 < width ? rgb_of(row[x + 1]) << 8 * PIXEL : 0));
}

static size_t row_bytes_of(const Png *png) {
    return PIXEL * png->width + 1;
}

/* Room for as far as a match may reach back, at any byte of a row, and as much again, so
 * that the window is moved seldom. */
static size_t window_size(const Png *png) {
    return 2 * (size_t)FARTHEST + row_bytes_of(png) + ROW_SLACK;
}

void png_add(Png *png, const uint32_t *rows, size_t count, size_t stride) {
    size_t row_bytes = row_bytes_of(png);
    for (size_t y = 0; y < count && !png->out.failed; y++) {
        if (png->filled > 2 * FARTHEST) {
            size_t dropped = png->filled - FARTHEST;
            memmove(png->window, png->window + dropped, FARTHEST);
            png->dropped += (uint32_t)dropped;
            png->filled = FARTHEST;
        }
        uint8_t *row = png->window + png->filled;
        const uint32_t *pixels = rows + y * stride;
        if (y > 0 && row_bytes <= FARTHEST &&
            memcmp(pixels, pixels - stride, png->width * sizeof *pixels) == 0)
            memcpy(row, row - row_bytes, row_bytes);
        else
            put_row(row, pixels, png->width);
        png->checksum = libdeflate_adler32(png->checksum, row, row_bytes);
        add_tokens(png, row_bytes);
        png->filled += row_bytes;
        if (png->token_count > BLOCK_TOKENS)
            end_block(png, false);
    }
}

/* ---- files ---- */

Png *png_create(void) {
    return calloc(1, sizeof(Png));
}

void png_destroy(Png *png) {
    if (!png)
        return;
    free(png->out.bytes);
    free(png->window);
    free(png->tokens);
    free(png);
}

static bool no_memory(const Png *png, Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "not enough memory for a picture of %zu × %zu pixels", png->width,
                     png->height);
}

/* Makes the buffers for rows of that width. */
static bool set_width(Png *png, size_t width) {
    if (png->window && png->tokens && png->width == width)
        return true;
    png->width = width;
    free(png->window);
    free(png->tokens);
    png->window = malloc(window_size(png));
    png->tokens = calloc(BLOCK_TOKENS + row_bytes_of(png), sizeof *png->tokens);
    return png->window && png->tokens;
}

static void put_32(uint8_t *to, size_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Completes a chunk whose type and `size` bytes of data are there: its length in front,
 * the CRC-32 of both behind. */
static void end_chunk(uint8_t *chunk, size_t size) {
    put_32(chunk, size);
    put_32(chunk + CHUNK_HEAD + size, libdeflate_crc32(0, chunk + 4, size + 4));
}

bool png_begin(Png *png, size_t width, size_t height, Error *error) {
    static const uint8_t head[] = {
        0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', /* the signature */
        0,    0,   0,   13,  'I',  'H',  'D',  'R',  /* the header: width, height, */
        0,    0,   0,   0,   0,    0,    0,    0,    8,    2,   0,
        0,    0,   0,   0,   0,    0, /* 8 bits, RGB; its CRC */
        0,    0,   0,   0,   'I',  'D',  'A',  'T',  0x78, 0x01}; /* deflate with 32 KiB
                                                                     of history */
    if (width == 0 || height == 0 || height > LONGEST || width > (LONGEST - 1) / PIXEL)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a picture of %zu × %zu pixels can't be a PNG; both sides must "
                         "be at least 1",
                         width, height);
    png->height = height;
    png->out = (Output){.bytes = png->out.bytes, .room = png->out.room};
    png->filled = png->token_count = png->dropped = 0;
    png->checksum = 1;
    memset(png->seen, 0, sizeof png->seen);
    if (!set_width(png, width) || !make_room(&png->out, BLOCK_BYTES))
        return no_memory(png, error);
    uint8_t *bytes = memcpy(png->out.bytes, head, sizeof head);
    put_32(bytes + HEADER_AT + CHUNK_HEAD, width);
    put_32(bytes + HEADER_AT + CHUNK_HEAD + 4, height);
    end_chunk(bytes + HEADER_AT, 13);
    png->out.size = sizeof head;
    return true;
}

const uint8_t *png_pack(Png *png, size_t *size, Error *error) {
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xAE, 0x42, 0x60, 0x82};
    Output *out = &png->out;
    end_block(png, true);
    if (!make_room(out, BLOCK_BYTES) || out->size - PIXELS_AT > LONGEST) {
        no_memory(png, error);
        return NULL;
    }
    put_bits(out, 0, 7); /* up to a whole byte */
    flush(out);
    put_32(out->bytes + out->size, png->checksum);
    out->size += 4;
    end_chunk(out->bytes + PIXELS_AT, out->size - PIXELS_AT - CHUNK_HEAD);
    out->size += 4;
    memcpy(out->bytes + out->size, end, sizeof end);
    *size = out->size + sizeof end;
    return out->bytes;
}

bool png_save(Png *png, const char *path, Error *error) {
    size_t size;
    const uint8_t *bytes = png_pack(png, &size, error);
    return bytes && whole_file_write(path, bytes, size, error);
}
