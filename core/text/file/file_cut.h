/* Tokenization by a tokenizer.json. Private to core/text/file. */
#pragma once

#include "text/cutter.h"

/* Tokenizes a whole text: the split function of a tokenizer that was read from a file. */
bool file_split(Cutter *cutter, const Letters *letters, Error *error);
