/* Tokenizers from tokenizer.json, the format of Hugging Face's library `tokenizers`.
 *
 * Supported are the models BPE (of letters, of bytes, with byte fallback), WordPiece and
 * WordLevel, with the added tokens, normalizers, pre-tokenizers (steps_read.c) and
 * templates of GPT-2, BERT and LLaMA. Anything else is refused with a message that names
 * the file and the key, except `truncation`, `padding` and `decoder`, which don't change
 * a whole text's IDs. A text gets the same IDs as from the library; where that would skip
 * a letter that the vocabulary lacks, tokenizing fails. Byte tokens have byte_name's
 * names (text/byte_bpe.h). Source: huggingface/tokenizers 0.21, tokenizers/src. */
#pragma once

#include "text/tokenizer.h"

enum {
    TOKENIZER_FILE_MAX = 1 << 25 /* bytes; the largest models' files are close to it */
};

/* Reads a file's bytes. The tokenizer, all of which is new in the arena, has begin and
 * end from the file's template. `file` names it in messages. ERROR_SYNTAX for malformed
 * JSON, ERROR_ENCODING, ERROR_NAME for an unsupported type or key and for a missing or
 * repeated token, ERROR_VALUE, ERROR_LIMIT, ERROR_MEMORY. */
bool tokenizer_file_read(Tokenizer *tokenizer, Arena *arena, const char *file,
                         const char *bytes, size_t length, Error *error);
