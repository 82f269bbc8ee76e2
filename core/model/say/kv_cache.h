/* The key–value cache: what a decoder need not compute again.
 *
 * The causal mask keeps old words from seeing new ones, so the keys and values of a word
 * that has been read never change, in any layer. The cache keeps them: reading a word
 * computes one row of each layer and appends its key and value. The encoder runs once,
 * and so do the keys and values that cross-attention makes of the memory. Sums are added
 * in the same order as on the tape (model/say/predict.h): the logits are the same to the
 * last bit. Padding (ID 0) in source or target is masked as it is there.
 *
 * A cache lives in the arena it was made in and borrows the model's parameters. */
#ifndef MODEL_KV_CACHE_H
#define MODEL_KV_CACHE_H

#include "model/say/predict.h"

typedef struct KvCache KvCache;

/* A new cache for at most `capacity` (1 or more) target words. Runs the encoder on
 * `source` [1,m], where the model has one, and makes the memory's keys and values. The
 * source must have passed predict_check. NULL with ERROR_MEMORY or ERROR_LIMIT. */
KvCache *kv_cache_create(Arena *arena, PredictModel model, const Tensor *source,
                         size_t capacity, Error *error);

/* Another cache of the same model, source and capacity, which has read nothing; what
 * never changes is shared. NULL when the arena is exhausted. */
KvCache *kv_cache_create_like(Arena *arena, const KvCache *cache);

/* Makes a cache that came from the other by kv_cache_create_like, or the other way
 * round, one that has read the same words. Computes nothing. */
void kv_cache_copy(KvCache *to, const KvCache *from);

/* Reads the next word of the target: an ID of its vocabulary. The words read so far must
 * be fewer than the capacity. */
void kv_cache_read(KvCache *cache, size_t id);

/* Fills logits [predict_words] of the word behind those read, one at least. */
void kv_cache_logits(KvCache *cache, double *logits);

/* How many words have been read. */
size_t kv_cache_length(const KvCache *cache);

/* The keys or values [length,d_model] of a decoder layer's self-attention, all heads side
 * by side, for whoever draws them. Borrowed. */
Tensor kv_cache_keys(const KvCache *cache, size_t layer);
Tensor kv_cache_values(const KvCache *cache, size_t layer);

/* Takes the multiplications counted since the last call, or since creation; a cache that
 * was made like another begins with 0. */
size_t kv_cache_take_multiplications(KvCache *cache);

/* The same numbers by their formulas: of creating a cache on `source` words, of reading
 * the word at place `target` (from 1) with that source, and of one row of logits. */
size_t kv_cache_create_multiplications(const TransformerShape *shape, size_t source);
size_t kv_cache_read_multiplications(const TransformerShape *shape, size_t source,
                                     size_t target);
size_t kv_cache_logits_multiplications(const TransformerShape *shape);

#endif
