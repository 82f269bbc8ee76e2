#include "paint/paint_parts.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 8192 /* a power of two; chains stay short within any limit asked for */
};

/* One block, its key's text behind it. */
typedef struct Entry {
    struct Entry *next;          /* in its bucket */
    struct Entry *newer, *older; /* by use */
    uint64_t hash;
    size_t bytes; /* of the whole entry */
    size_t length;
    char *text;
    uint32_t number;
    _Alignas(max_align_t) unsigned char block[];
} Entry;

struct Cache {
    size_t limit, used;
    Entry *newest, *oldest;
    Entry *buckets[BUCKETS];
};

Cache *cache_create(size_t limit) {
    Cache *cache = calloc(1, sizeof *cache);
    if (cache)
        cache->limit = limit;
    return cache;
}

void cache_destroy(Cache *cache) {
    if (!cache)
        return;
    for (Entry *entry = cache->newest, *older; entry; entry = older) {
        older = entry->older;
        free(entry);
    }
    free(cache);
}

static uint64_t hash_key(uint32_t number, const char *text, size_t length) {
    uint64_t hash = hash_bytes(HASH_START, &number, sizeof number);
    hash = hash_bytes(hash, text, length);
    return hash ^ hash >> 32;
}

static Entry **bucket_of(Cache *cache, uint64_t hash) {
    return &cache->buckets[hash & (BUCKETS - 1)];
}

static void unlink_by_use(Cache *cache, Entry *entry) {
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_as_newest(Cache *cache, Entry *entry) {
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

void *cache_find(Cache *cache, uint32_t number, const char *text, size_t length) {
    uint64_t hash = hash_key(number, text, length);
    for (Entry *entry = *bucket_of(cache, hash); entry; entry = entry->next) {
        if (entry->hash == hash && entry->number == number && entry->length == length &&
            memcmp(entry->text, text, length) == 0) {
            if (entry != cache->newest) {
                unlink_by_use(cache, entry);
                link_as_newest(cache, entry);
            }
            return entry->block;
        }
    }
    return NULL;
}

static void drop_oldest(Cache *cache) {
    Entry *entry = cache->oldest;
    Entry **link = bucket_of(cache, entry->hash);
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    unlink_by_use(cache, entry);
    cache->used -= entry->bytes;
    free(entry);
}

void *cache_add(Cache *cache, uint32_t number, const char *text, size_t length,
                size_t size) {
    size_t bytes = 0;
    if (__builtin_add_overflow(sizeof(Entry), size, &bytes) ||
        __builtin_add_overflow(bytes, length, &bytes))
        return NULL;
    Entry *entry = calloc(1, bytes);
    if (!entry)
        return NULL;
    entry->hash = hash_key(number, text, length);
    entry->bytes = bytes;
    entry->number = number;
    entry->length = length;
    entry->text = (char *)entry->block + size;
    memcpy(entry->text, text, length);
    Entry **bucket = bucket_of(cache, entry->hash);
    entry->next = *bucket;
    *bucket = entry;
    link_as_newest(cache, entry);
    cache->used += bytes;
    while (cache->used > cache->limit && cache->oldest != entry)
        drop_oldest(cache);
    return entry->block;
}
