/* Tokenizers from tokenizer.json, the format of Hugging Face's library `tokenizers`.
 *
 * Read are the models BPE (of letters, of bytes, with bytes to fall back on), WordPiece
 * and WordLevel, with the added tokens, normalizers, pre-tokenizers (text/file/steps.h)
 * and templates that GPT-2, BERT and LLaMA have. What a file has beside them is refused
 * with a sentence that names the file and the key, but for `truncation`, `padding` and
 * `decoder`, which do nothing to a whole text's IDs. A text gets the IDs that the library
 * gives it; where that would pass over a letter that the vocabulary lacks, cutting fails.
 * Tokens of bytes are called as byte_name has it (text/byte_bpe.h).
 * Source: huggingface/tokenizers 0.21, tokenizers/src. */
#ifndef TEXT_TOKENIZER_FILE_H
#define TEXT_TOKENIZER_FILE_H

#include "text/tokenizer.h"

enum { TOKENIZER_FILE_MAX = 1 << 25 /* bytes; the largest models' are near it */ };

/* Reads a file's bytes. The tokenizer, all of which is new in the arena, then has begin
 * and end as the file's template says. `file` names it in sentences. ERROR_SYNTAX for
 * bytes that are no such JSON, ERROR_ENCODING, ERROR_NAME for a type or key that is not
 * known here and for a token that is not there or twice, ERROR_VALUE, ERROR_LIMIT,
 * ERROR_MEMORY. */
bool tokenizer_file_read(Tokenizer *tokenizer, Arena *arena, const char *file,
                         const char *bytes, size_t length, Error *error);

#endif
