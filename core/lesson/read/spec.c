#include "lesson/read/spec.h"

#include "base/strings/writer.h"
#include "lesson/content/content.h"
#include "lesson/content/question.h"
#include "model/build/transformer.h"
#include "model/generate/generate.h"
#include "model/learn/train.h"
#include "text/bpe.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

#define ROWS(array) .rows = array, .count = sizeof array / sizeof *array

/* ---- words ---- */

static const char *tokenizer_word(size_t index) {
    const TokenizerKind *kind = tokenizer_kind(index);
    return kind ? kind->name : NULL;
}

/* Defines a function that returns the words of an enum's values from `first` on. */
#define WORDS_OF(function, type, first, count, name_of)                                  \
    static const char *function(size_t index) {                                          \
        return index + first < count ? name_of((type)(index + first)) : NULL;            \
    }

WORDS_OF(kind_word, TransformerKind, 0, TRANSFORMER_KIND_COUNT, transformer_kind_name)
WORDS_OF(positions_word, TransformerPositions, 0, TRANSFORMER_POSITIONS_COUNT,
         transformer_positions_name)
WORDS_OF(activation_word, Activation, 0, ACTIVATION_COUNT, activation_name)
WORDS_OF(optimizer_word, OptimizerKind, 0, OPTIMIZER_KIND_COUNT, optimizer_kind_name)
WORDS_OF(view_word, LessonView, LESSON_VIEW_HEATMAP, LESSON_VIEW_COUNT, lesson_view_name)
WORDS_OF(block_word, LessonBlock, LESSON_BLOCK_IDS, LESSON_BLOCK_COUNT, lesson_block_name)
WORDS_OF(rule_word, GenerateRule, 0, GENERATE_RULE_COUNT, generate_rule_name)

static const char *place_word(size_t index) {
    static const char *const words[] = {"post", "pre", NULL};
    return words[index];
}

static const char *norm_word(size_t index) {
    return index < 2 ? place_word(index) : index == 2 ? "rms" : NULL;
}

static const char *mask_word(size_t index) {
    static const char *const words[] = {"causal", "none", NULL};
    return words[index];
}

static const char *model_steps_word(size_t index) {
    static const char *const words[MODEL_STEPS_COUNT + 1] = {"true", "false", "listed",
                                                             NULL};
    return words[index];
}

static const char *tokens_word(size_t index) {
    return index ? NULL : "tokens";
}

static const char *all_word(size_t index) {
    return index ? NULL : "all";
}

/* ---- labels, vocabularies, given tensors ---- */

#define AT(member) offsetof(LabelsSpec, member)

static const SchemaRow label_rows[] = {
    {"rows", SCHEMA_STRINGS, AT(rows), "Labels of the rows.", .example = "[a, b]",
     .word = tokens_word},
    {"cols", SCHEMA_STRINGS, AT(cols), "Labels of the columns.", .example = "[a, b]",
     .word = tokens_word},
};

static const Schema labels = {"labels", "`labels:`, each tensor",
                              "`labels: {X: {rows: tokens, cols: [a, b]}}`",
                              sizeof(LabelsSpec), ROWS(label_rows)};

#undef AT
#define AT(member) offsetof(VocabularySpec, member)

static const SchemaRow vocabulary_rows[] = {
    {"file", SCHEMA_NAME, AT(file),
     "A `tokenizer.json` in the lesson's folder, which defines the whole tokenizer.",
     .example = "tokenizer.json"},
    {"frame", SCHEMA_SWITCH, AT(frame),
     "Add the special tokens that `file:` defines around each text.",
     .otherwise = "true"},
    {"tokenizer", SCHEMA_CHOICE, AT(tokenizer),
     "Algorithm that splits texts into tokens.", .word = tokenizer_word,
     .otherwise = "whitespace"},
    {"special", SCHEMA_STRINGS, AT(special),
     "Special tokens, which are never split and have the first IDs.",
     .example = "[\"[UNK]\", \"[PAD]\"]"},
    {"tokens", SCHEMA_TOKENS, AT(tokens),
     "The tokens, in the order of their IDs or each with its ID.",
     .example = "[you, win]"},
    {"corpus", SCHEMA_STRINGS, AT(corpus),
     "Texts that the tokens are learned from, in the order of first appearance.",
     .example = "[you win, you die]"},
    {"corpus_file", SCHEMA_NAME, AT(corpus_file),
     "A file in the lesson's folder with one such text per line.",
     .example = "words.txt"},
    {"merges", SCHEMA_WHOLE, AT(merges),
     "Number of merges that `bpe` or `byte_bpe` learns from the corpus.",
     .most = BPE_MERGES_MAX, .otherwise = "10", .when = "tokenizer: bpe byte_bpe"},
    {"first", SCHEMA_WHOLE, AT(first), "ID of the first token.",
     .most = VOCABULARY_ID_MAX, .otherwise = "0"},
    {"lower_case", SCHEMA_SWITCH, AT(lower_case),
     "Convert texts to lower case before they are split.", .otherwise = "false"},
};

static const Schema vocabulary = {
    "a vocabulary", "`vocabularies:`, each",
    "`vocabularies: {V: {corpus: [you win], first: 1}}`. `wordpiece` is BERT's "
    "algorithm; it converts a word of more than 200 characters to `[UNK]`, as the "
    "published code does (`max_input_chars_per_word`).",
    sizeof(VocabularySpec), ROWS(vocabulary_rows)};

#undef AT
#define AT(member) offsetof(GivenSpec, member)

static const SchemaRow given_rows[] = {
    {"random", SCHEMA_PAIR, AT(size),
     "Rows and columns of a tensor of standard normal random numbers.",
     .example = "[2, 3]", .least = 1, .most = TENSOR_MAX_CELLS, .marks = true},
    {"seed", SCHEMA_WHOLE, AT(seed), "Seed of the random numbers.", .otherwise = "0",
     .with = "random"},
    {"scale", SCHEMA_NUMBER, AT(scale),
     "Factor that the random numbers are multiplied by.", .otherwise = "1",
     .with = "random"},
    {"text", SCHEMA_NAME, AT(text),
     "A text; the tensor is one row of its token IDs, with the tokens as labels.",
     .marks = true},
    {"corpus_after", SCHEMA_WHOLE, AT(corpus_after),
     "The corpus of a `bpe` vocabulary, split as after this many merges.",
     .most = BPE_MERGES_MAX, .marks = true},
    {"vocabulary", SCHEMA_NAME, AT(vocabulary),
     "Vocabulary that splits the text or corpus.", .example = "V", .needed = true,
     .with = "text corpus_after"},
    {"begin", SCHEMA_STRING, AT(begin), "Token to add before the text.", .with = "text"},
    {"end", SCHEMA_STRING, AT(end), "Token to add after the text.", .with = "text"},
};

static const Schema given = {
    .title = "`given:`, each tensor",
    .sentence = "Numbers, `X: [[1, 0], [0, 1]]` (a list is one row, a number is 1 × 1; "
                "`inf` and `-inf` are numbers), or a mapping with these keys:",
    .size = sizeof(GivenSpec),
    ROWS(given_rows),
    .numbers = true,
    .stray = "file",
    .elsewhere = "weights from a file stand under 'model:', as 'weights: {file: "
                 "NAME.safetensors}'; numbers stand here themselves"};

/* ---- steps ---- */

#undef AT
#define AT(member) offsetof(OptionSpec, member)

static const SchemaRow option_rows[] = {
    {"text", SCHEMA_TEXT, AT(text), "Text of the choice.", .example = "one takes all",
     .needed = true},
    {"right", SCHEMA_SWITCH, AT(right),
     "Mark the choice as the answer; exactly one choice must be.", .otherwise = "false"},
    {"because", SCHEMA_TEXT, AT(because),
     "Explanation of why the choice is wrong; required for each wrong choice.",
     .example = "there would be nothing left to share"},
};

static const Schema option = {"a choice", "`choose:`, each",
                              "The page shows the choices in another order.",
                              sizeof(OptionSpec), ROWS(option_rows)};

#undef AT
#define AT(member) offsetof(DirectionSpec, member)

static const SchemaRow direction_rows[] = {
    {"of", SCHEMA_CELL, AT(of), "Number that the question is about: tensor, row, column.",
     .example = "[A, 0, 1]", .needed = true},
    {"cell", SCHEMA_CELL, AT(cell), "Number that is changed: tensor, row, column.",
     .example = "[S, 0, 2]", .marks = true},
    {"all", SCHEMA_NAME, AT(all), "Tensor of which all numbers are changed.",
     .example = "S", .marks = true},
    {"mute", SCHEMA_NAME, AT(mute), "Operation that is skipped.", .example = "S_scaled",
     .marks = true},
    {"times", SCHEMA_NUMBER, AT(times), "Factor that the numbers are multiplied by.",
     .otherwise = "1", .with = "cell all"},
    {"add", SCHEMA_NUMBER, AT(add), "Number that is added after the multiplication.",
     .otherwise = "0", .with = "cell all"},
};

static const Schema direction = {
    "direction", "`direction:`",
    "Does a number increase, decrease or stay the same, to three decimals, when another "
    "one is changed? The program computes the answer.",
    sizeof(DirectionSpec), ROWS(direction_rows)};

#undef AT
#define AT(member) offsetof(AskSpec, member)

static const SchemaRow ask_rows[] = {
    {"cell", SCHEMA_PAIR, AT(cell),
     "Ask for the number at this row and column, counted from 0.", .example = "[2, 0]",
     .most = TENSOR_MAX_CELLS, .marks = true},
    {"choose", SCHEMA_LIST, AT(choose), "Ask which of two to four choices is right.",
     .example = "'- {text: the last, right: true}'", .least = 2,
     .most = QUESTION_OPTIONS_MAX, .schema = &option, .marks = true},
    {"order", SCHEMA_TEXTS, AT(order),
     "Ask for the order of two to four items, written here in the right order.",
     .example = "[scores, weights, weighted sum]", .least = 2,
     .most = QUESTION_OPTIONS_MAX, .marks = true},
    {"direction", SCHEMA_MAPPING, AT(direction),
     "Ask how one number changes when another one is changed.", .schema = &direction,
     .example = "{of: [A, 0, 1], cell: [S, 0, 2], add: 1}", .marks = true},
    {"think", SCHEMA_TEXT, AT(think),
     "Ask the reader to think about this before the result is shown.",
     .example = "What would you expect?", .marks = true},
    {"question", SCHEMA_TEXT, AT(question),
     "The question in words; `cell:` and `direction:` have a default.",
     .example = "Which word wins?", .with = "cell choose order direction"},
    {"because", SCHEMA_TEXT, AT(because), "One line that explains the answer.",
     .example = "A row sums to 1."},
    {"open", SCHEMA_SWITCH, AT(open), "Show the picture while the question is open.",
     .otherwise = "false"},
};

static const Schema ask = {
    "ask", "`ask:`",
    "A question that the reader answers before the step shows its result (N turns "
    "questions off and on), and again in practice (P).",
    sizeof(AskSpec), ROWS(ask_rows)};

#undef AT
#define AT(member) offsetof(TrainStepSpec, member)

static const SchemaRow train_step_rows[] = {
    {"watch", SCHEMA_STRINGS, AT(watch),
     "Up to four tensors of the model to show; default: `probabilities`.",
     .example = "[probabilities]", .most = SPEC_WATCH_MOST},
};

static const Schema train_step = {"train", "`train:` of a step",
                                  "Shows the training of `weights: {train: …}` as an "
                                  "animation of its epochs and updates.",
                                  sizeof(TrainStepSpec), ROWS(train_step_rows)};

#undef AT
#define AT(member) offsetof(GenerateSpec, member)

static const SchemaRow generate_rows[] = {
    {"name", SCHEMA_NAME, AT(name),
     .sentence = "Name of the generated text; default: `said`, then `said_2`, …"},
    {"rule", SCHEMA_CHOICE, AT(options.rule), "Decoding rule that chooses the tokens.",
     .word = rule_word, .otherwise = "greedy"},
    {"length", SCHEMA_WHOLE, AT(options.length), "Maximum number of tokens to generate.",
     .least = 1, .most = GENERATE_LENGTH_MAX, .otherwise = "16"},
    {"text", SCHEMA_WORDS, AT(text), "Source text to use instead of the lesson's.",
     .example = "you win"},
    {"begin", SCHEMA_WORDS, AT(begin),
     "Beginning of the decoder's text, which the model continues.",
     .example = "[<sos>, you]"},
    {"cache", SCHEMA_SWITCH, AT(options.cache),
     "Keep keys and values for the next step instead of computing them again.",
     .otherwise = "false"},
    {"temperature", SCHEMA_NUMBER, AT(options.temperature),
     "Divisor of the logits: above 1 the text is more varied, below 1 less.",
     .most = SCHEMA_MOST, .above = true, .otherwise = "1", .when = "rule: sample"},
    {"top_k", SCHEMA_WHOLE, AT(options.top_k),
     "Sample only from this many of the most likely tokens.", .least = 1,
     .most = TENSOR_MAX_CELLS, .when = "rule: sample"},
    {"top_p", SCHEMA_NUMBER, AT(options.top_p),
     "Sample only from the most likely tokens whose probabilities sum to this number.",
     .most = 1, .above = true, .otherwise = "1", .when = "rule: sample"},
    {"seed", SCHEMA_WHOLE, AT(seed),
     "Seed of the sampling; the same seed gives the same text.", .otherwise = "0",
     .when = "rule: sample"},
    {"draws", SCHEMA_WHOLE, AT(draws),
     "Number of additional samples per step, counted in `drawn_NAME`.", .least = 1,
     .most = GENERATE_DRAWS_MAX, .when = "rule: sample"},
    {"beam", SCHEMA_WHOLE, AT(options.width), "Number of texts that beam search keeps.",
     .least = 1, .most = GENERATE_WIDTH_MAX, .otherwise = "3", .when = "rule: beam"},
    {"length_exponent", SCHEMA_NUMBER, AT(options.length_exponent),
     "Exponent A of the score, the sum of the log probabilities / lengthᴬ.",
     .most = SCHEMA_MOST, .otherwise = "0", .when = "rule: beam"},
};

static const Schema generate = {
    "generate", "`generate:`",
    "Generates text with the model. The tensors of a generation step have names, as "
    "`said.turn_1.next_logits`; `logits_said`, `cost_said` and `drawn_said` summarize "
    "the generation. The `probabilities` of a step are those of the tokens that can be "
    "generated; padding, ID 0, can't.",
    sizeof(GenerateSpec), ROWS(generate_rows)};

#undef AT
#define AT(member) offsetof(StepSpec, member)

static const SchemaRow step_rows[] = {
    {"do", SCHEMA_STATEMENT, AT(compute),
     "Compute an expression, also as `NAME = expression`.", .example = "'Y = X + 1'",
     .marks = true},
    {"show", SCHEMA_NAMES, AT(show), "Show existing tensors side by side.",
     .example = "'show: X' or 'show: [W_Q, W_K]'", .marks = true},
    {"at", SCHEMA_NAME, AT(at),
     "Add texts to a step of the model, or to a step inside another step.",
     .example = "encoder.0.norm_1", .marks = true},
    {"train", SCHEMA_MAPPING, AT(train), "Show the training.", .schema = &train_step,
     .example = "{watch: [probabilities]}", .marks = true},
    {"generate", SCHEMA_MAPPING, AT(generate), "Generate text with the model.",
     .schema = &generate, .example = "{rule: greedy}", .marks = true},
    {"concept", SCHEMA_TEXT, AT(concept),
     .sentence =
         "Name of the concept that the step is about, shown above its heading, and "
         "in lists of steps."},
    {"heading", SCHEMA_TEXT, AT(heading), .sentence = "Heading of the step, a question."},
    {"say", SCHEMA_TEXT, AT(say), .sentence = "One or two sentences about the step."},
    {"notes", SCHEMA_TEXT, AT(notes),
     .sentence = "Notes for the lecturer, shown in the notes window only."},
    {"chapter", SCHEMA_TEXT, AT(chapter),
     .sentence = "Name of the chapter that begins with this step."},
    {"seconds", SCHEMA_WHOLE, AT(seconds),
     "Time for the step, for which autoplay stays at it; default: by the length of its "
     "texts.",
     .least = 1, .most = SPEC_SECONDS_MOST},
    {"tour", SCHEMA_TEXT, AT(tour),
     .sentence = "One sentence with which the three-minute tour stops at this step."},
    {"hero", SCHEMA_SWITCH, AT(is_cover), "Use the picture of this step for the lesson.",
     .otherwise = "false"},
    {"explain", SCHEMA_SWITCH, AT(explains),
     "Worksheets and exams may ask the heading as a question, with `say` as the answer.",
     .otherwise = "false"},
    {"block", SCHEMA_CHOICE, AT(block), "Position on the map from this step on.",
     .word = block_word, .least = LESSON_BLOCK_IDS},
    {"as", SCHEMA_CHOICE, AT(view), "View that draws the tensor.", .word = view_word,
     .least = LESSON_VIEW_HEATMAP, .with = "do show at"},
    {"cell", SCHEMA_STATEMENT, AT(cell),
     "Cell to select when the step opens; default: the first one that its texts name, or "
     "one that suits the view.",
     .example = "'A[am, I]'", .with = "do show at"},
    {"printed", SCHEMA_PRINTED, AT(printed),
     "The result as the lesson's source prints it, with `_` for numbers that it omits.",
     .example = "[[1, 0], [_, 1]]", .with = "do show at"},
    {"source", SCHEMA_TEXT, AT(compared),
     .sentence = "Statement of the source about this step and its errors, shown when "
                 "steps are compared with the source (U)."},
    {"document", SCHEMA_STRING, AT(document),
     .sentence = "Title of the step's source, if it differs from the lesson's."},
    {"ask", SCHEMA_MAPPING, AT(ask), "Question to the reader before the result is shown.",
     .example = "{cell: [2, 0]}", .schema = &ask},
};

static const Schema step = {"a step", "`steps:`, each",
                            "A step has exactly one of the keys `do:`, `show:`, `at:`, "
                            "`train:` and `generate:`; the others describe it.",
                            sizeof(StepSpec), ROWS(step_rows)};

/* ---- the model ---- */

#undef AT
#define AT(member) offsetof(TrainSpec, member)

static const SchemaRow train_rows[] = {
    {"pairs", SCHEMA_PAIRS, AT(pairs),
     "Sources with their targets, for `kind: encoder_decoder`.",
     .example = "[[when you play, you win]]", .most = SPEC_EXAMPLES_MOST},
    {"pairs_file", SCHEMA_NAME, AT(pairs_file),
     "A file in the lesson's folder with one such pair per line: source, tab, target.",
     .example = "pairs.txt"},
    {"texts", SCHEMA_WORDS_LIST, AT(texts), "Texts, for `kind: decoder`.",
     .example = "[you win or you die]", .most = SPEC_EXAMPLES_MOST},
    {"texts_file", SCHEMA_NAME, AT(texts_file),
     "A file in the lesson's folder with one such text per line.",
     .example = "words.txt"},
    {"held_out_file", SCHEMA_NAME, AT(held_out_file),
     "A file of pairs that the model doesn't learn from; the right answers to them are "
     "counted.",
     .example = "others.txt"},
    {"epochs", SCHEMA_WHOLE, AT(epochs), "Number of passes over all examples.",
     .least = 1, .most = TRAIN_MAX_EPOCHS, .otherwise = "200"},
    {"batch", SCHEMA_WHOLE, AT(batch), "Number of examples per update.", .word = all_word,
     .most = SPEC_EXAMPLES_MOST, .otherwise = "all"},
    {"optimizer", SCHEMA_CHOICE, AT(optimizer),
     "Optimizer that computes the updates from the gradients.", .word = optimizer_word,
     .otherwise = "adam"},
    {"learning_rate", SCHEMA_NUMBER, AT(learning_rate), "Learning rate η.",
     .most = SCHEMA_MOST, .above = true, .otherwise = "0.01"},
    {"warmup", SCHEMA_WHOLE, AT(warmup),
     "Number of updates during which the learning rate increases to η.",
     .otherwise = "0"},
    {"clip", SCHEMA_NUMBER, AT(clip),
     "Maximum norm of the gradient; 0 turns clipping off.", .most = SCHEMA_MOST,
     .otherwise = "0"},
    {"seed", SCHEMA_WHOLE, AT(seed),
     "Seed of the initial parameters and of the order of the examples.",
     .otherwise = "0"},
    {"before", SCHEMA_RENAMED, AT(before),
     "Tensors of the untrained model to keep as given tensors, each under a new name.",
     .example = "{logits_before: logits}", .most = SPEC_BEFORE_MOST},
    {"kept", SCHEMA_NAME, AT(kept),
     "A .safetensors file in the lesson's folder with the result of this training, which "
     "is read instead of training again.",
     .example = "mine.safetensors"},
};

static const Schema train = {"train", "`train:` of the weights",
                             "The model is trained when the lesson opens. The section "
                             "Training describes the computation.",
                             sizeof(TrainSpec), ROWS(train_rows)};

#undef AT
#define AT(member) offsetof(WeightsSpec, member)

static const SchemaRow weights_rows[] = {
    {"random", SCHEMA_WHOLE, AT(random), "Seed of random parameters.", .marks = true},
    {"file", SCHEMA_NAME, AT(file), "A .safetensors file in the lesson's folder.",
     .example = "mine.safetensors", .marks = true},
    {"train", SCHEMA_MAPPING, AT(train), "Train the parameters.", .schema = &train,
     .marks = true},
};

static const Schema weights = {"'weights:'", "`weights:`",
                               "Origin of the parameters; default: `{random: 0}`.",
                               sizeof(WeightsSpec), ROWS(weights_rows)};

#undef AT
#define AT(member) offsetof(ModelSpec, member)

static const SchemaRow model_rows[] = {
    {"kind", SCHEMA_CHOICE, AT(kind),
     "The stacks of layers: an encoder and a decoder, or only one of them.",
     .word = kind_word, .otherwise = "encoder_decoder"},
    {"d_model", SCHEMA_WHOLE, AT(d_model),
     "Dimension of the embeddings and hidden states.", .example = "8", .least = 1,
     .most = TRANSFORMER_WIDTH_MAX, .needed = true},
    {"heads", SCHEMA_WHOLE, AT(heads),
     "Number of attention heads; must divide `d_model:`.", .least = 1,
     .most = TRANSFORMER_WIDTH_MAX, .otherwise = "1"},
    {"kv_heads", SCHEMA_WHOLE, AT(kv_heads),
     "Number of heads with their own keys and values, shared by groups of query heads; "
     "default: `heads:`.",
     .least = 1, .most = TRANSFORMER_WIDTH_MAX},
    {"d_ff", SCHEMA_WHOLE, AT(d_ff),
     "Dimension of the feed-forward network's hidden layer; default: 4 `d_model:`.",
     .least = 1, .most = TENSOR_MAX_CELLS},
    {"layers", SCHEMA_WHOLE, AT(layers), "Number of layers in each stack.", .least = 1,
     .most = TRANSFORMER_LAYERS_MAX, .otherwise = "1"},
    {"encoder_layers", SCHEMA_WHOLE, AT(encoder_layers),
     "Number of encoder layers, if the stacks differ.", .least = 1,
     .most = TRANSFORMER_LAYERS_MAX},
    {"decoder_layers", SCHEMA_WHOLE, AT(decoder_layers),
     "Number of decoder layers, if the stacks differ.", .least = 1,
     .most = TRANSFORMER_LAYERS_MAX},
    {"context", SCHEMA_WHOLE, AT(context),
     "Maximum number of tokens in a text; default: the number that the lesson needs.",
     .least = 1, .most = TENSOR_MAX_CELLS},
    {"norm", SCHEMA_CHOICE, AT(norm),
     "Layer norm after each residual sum (`post`) or before each sublayer (`pre`), or "
     "RMS norm before each sublayer (`rms`).",
     .word = norm_word, .least = LESSON_NORM_POST, .otherwise = "post"},
    {"final_norm", SCHEMA_SWITCH, AT(final_norm),
     .sentence = "Norm after the last layer of each stack; default: `true` for `norm: "
                 "pre` and `norm: rms`, otherwise `false`."},
    {"epsilon", SCHEMA_NUMBER, AT(epsilon), "ε of the norms.", .most = SCHEMA_MOST,
     .otherwise = "1e-5"},
    {"scale_embedding", SCHEMA_SWITCH, AT(scale_embedding),
     "Multiply the embeddings by √d_model.", .otherwise = "false"},
    {"positions", SCHEMA_CHOICE, AT(positions),
     "Positional encoding: sines and cosines, a `learned` vector for each position of "
     "the `context:`, or `rotary`, which rotates queries and keys.",
     .word = positions_word, .otherwise = "sines"},
    {"rotary_base", SCHEMA_NUMBER, AT(rotary_base),
     "Base of the rotation: pair i of a head's d columns is rotated by the angle "
     "position / base^(2i/d).",
     .most = SCHEMA_MOST, .above = true, .otherwise = "10000",
     .when = "positions: rotary"},
    {"activation", SCHEMA_CHOICE, AT(activation),
     "Activation function of the feed-forward network; `swiglu` computes silu(x W_gate) "
     "· (x W_up), then multiplies by W_down.",
     .word = activation_word, .otherwise = "relu"},
    {"segments", SCHEMA_WHOLE, AT(segments),
     "Number of vectors in the segment embedding of BERT; the first one is added to "
     "every token.",
     .most = TENSOR_MAX_CELLS, .otherwise = "0"},
    {"embedding_norm", SCHEMA_SWITCH, AT(embedding_norm),
     "Norm between the embeddings and the first layer.", .otherwise = "false"},
    {"biases", SCHEMA_SWITCH, AT(biases), "Add biases in linear layers.",
     .otherwise = "true"},
    {"tie", SCHEMA_SWITCH, AT(tie),
     "Compute the logits with the embedding table, x Eᵀ, without a bias.",
     .otherwise = "false"},
    {"source", SCHEMA_WORDS, AT(source), "Input of the encoder.",
     .example = "when you play"},
    {"target", SCHEMA_WORDS, AT(target), "Input of the decoder.", .example = "you win"},
    {"expected", SCHEMA_WORDS, AT(expected),
     "Expected output, for the loss; without `target:`, it is also the input of the "
     "decoder, shifted by one position.",
     .example = "you win or you die"},
    {"other_texts", SCHEMA_OTHERS, AT(other_texts),
     "Other texts to read instead of `source:` (a decoder alone: of `target:`), each "
     "under a new name; of a text `other:` the tensors are `other.memory` and so on.",
     .example = "{other: you play when}", .most = SPEC_OTHERS_MOST},
    {"vocabulary", SCHEMA_VOCABULARY, AT(vocabulary),
     "Tokens of the model; ID 0 is padding, and the first token has ID 1.",
     .example = "[you, win, die]"},
    {"padding", SCHEMA_SWITCH, AT(padding),
     "Reserve ID 0 for padding; `false`: it is a token like any other, as in GPT-2.",
     .otherwise = "true"},
    {"corpus", SCHEMA_STRINGS, AT(corpus),
     "Texts that the vocabulary is learned from, instead of `vocabulary:`.",
     .example = "[you win or you die]"},
    {"target_vocabulary", SCHEMA_VOCABULARY, AT(target_vocabulary),
     "Vocabulary of the target, if it differs from the source's.",
     .example = "[you, win, die]"},
    {"target_corpus", SCHEMA_STRINGS, AT(target_corpus),
     "Texts that the target's vocabulary is learned from.",
     .example = "[you win or you die]"},
    {"separate", SCHEMA_SWITCH, AT(separate),
     "Learn separate vocabularies for source and target from the examples of a training.",
     .otherwise = "false"},
    {"tokenizer", SCHEMA_CHOICE, AT(tokenizer),
     "Algorithm that splits texts into tokens.", .word = tokenizer_word,
     .otherwise = "whitespace"},
    {"merges", SCHEMA_WHOLE, AT(merges),
     "Number of merges that `bpe` or `byte_bpe` learns from the corpus.",
     .most = BPE_MERGES_MAX, .otherwise = "100", .when = "tokenizer: bpe byte_bpe"},
    {"start", SCHEMA_STRING, AT(start), "Token at the beginning of a target.",
     .otherwise = "<sos>"},
    {"end", SCHEMA_STRING, AT(end), "Token at the end of a target.",
     .otherwise = "<eos>"},
    {"weights", SCHEMA_MAPPING, AT(weights), "Origin of the parameters.",
     .example = "{random: 1}", .schema = &weights},
    {"steps", SCHEMA_CHOICE, AT(steps),
     "Show all steps of the model, none, or those that `at:` lists, each of which opens "
     "into what is computed since the one before.",
     .word = model_steps_word, .otherwise = "true"},
};

static const Schema model = {
    "the model", "`model:`",
    "A whole transformer. It needs `d_model:`, texts and their vocabulary; by default, "
    "these are taken from the examples of a training.",
    sizeof(ModelSpec), ROWS(model_rows)};

/* ---- changes ---- */

#undef AT
#define AT(member) offsetof(ChangeSpec, member)

static const SchemaRow change_rows[] = {
    {"cell", SCHEMA_CELL, AT(cell),
     "Cell that is set: tensor, row, column, counted from 0; the path of a step, as "
     "\"8.2\", stands for a tensor without a name.",
     .example = "[X, 0, 1]", .marks = true},
    {"value", SCHEMA_NUMBER, AT(value), "New value of the cell.", .example = "0.5",
     .needed = true, .with = "cell"},
    {"mute", SCHEMA_NAME, AT(mute),
     "Operation that is skipped; its first input passes through.", .example = "S",
     .marks = true},
    {"text", SCHEMA_STRING, AT(text), "Text that replaces the first text of the file.",
     .example = "you win", .marks = true},
    {"heads", SCHEMA_WHOLE, AT(heads), "Number of attention heads of the model.",
     .least = 1, .most = TRANSFORMER_WIDTH_MAX, .marks = true},
    {"norm", SCHEMA_CHOICE, AT(norm), "Position of the model's norms.",
     .word = place_word, .least = LESSON_NORM_POST, .marks = true},
    {"mask", SCHEMA_CHOICE, AT(mask), "Mask of every self-attention.", .word = mask_word,
     .least = TRANSFORMER_MASK_CAUSAL, .marks = true},
    {"temperature", SCHEMA_NUMBER, AT(temperature),
     "Temperature of the last softmax and of sampling.", .most = SCHEMA_MOST,
     .above = true, .marks = true},
    {"seed", SCHEMA_WHOLE, AT(seed), "Seed of the model's training.", .marks = true},
};

const Schema SPEC_CHANGE = {
    "a change", "`changes:`, each",
    "A list that `Ctrl+S` writes. Each entry is one change to the lesson; everything "
    "that depends on it is computed again.",
    sizeof(ChangeSpec), ROWS(change_rows)};

/* ---- the lesson ---- */

#undef AT
#define AT(member) offsetof(FollowSpec, member)

static const SchemaRow follow_rows[] = {
    {"row", SCHEMA_NAMES, AT(row),
     "Label of the row; of several, the first that a tensor has.", .example = "she",
     .needed = true},
    {"column", SCHEMA_WHOLE, AT(column), "Column of the number, counted from 0.",
     .most = TENSOR_MAX_CELLS, .otherwise = "0"},
};

static const Schema follow = {
    "follow", "`follow:`",
    "The number that each step explains first, if its tensor has that row: the lesson "
    "follows one vector through a model. A step's `cell:` is another one.",
    sizeof(FollowSpec), ROWS(follow_rows)};

#undef AT
#define AT(member) offsetof(LessonSpec, member)

static const SchemaRow lesson_rows[] = {
    {"title", SCHEMA_TEXT, AT(title), "Title of the lesson.",
     .example = "One attention head, by hand", .needed = true},
    {"about", SCHEMA_TEXT, AT(about), .sentence = "One sentence about the content."},
    {"goal", SCHEMA_TEXT, AT(goal),
     .sentence = "One sentence about what the reader can do or answer afterwards."},
    {"needs", SCHEMA_STRINGS, AT(needs), "IDs of the lessons that this one builds on.",
     .example = "[08-one-head]"},
    {"remember", SCHEMA_TEXTS, AT(remember),
     "Up to three lines to remember, shown on a last page with the picture of the "
     "`hero:` step.",
     .example = "[attention weights sum to 1]", .least = 1, .most = LESSON_REMEMBER_MOST},
    {"part", SCHEMA_TEXT, AT(part),
     .sentence = "Part of the course that the lesson belongs to."},
    {"document", SCHEMA_STRING, AT(document),
     .sentence = "Title of the lesson's source, from which printed numbers are taken."},
    {"follow", SCHEMA_MAPPING, AT(follow), "Vector to follow through all steps.",
     .schema = &follow, .example = "{row: she, column: 0}"},
    {"minutes", SCHEMA_WHOLE, AT(minutes), "Time for the lesson, shown at its beginning.",
     .least = 1, .most = SPEC_MINUTES_MOST},
    {"begin_here", SCHEMA_SWITCH, AT(begins),
     "The lesson with which home offers to begin, before a first lesson was read, and "
     "after the tour; default: the course's first.",
     .otherwise = "false"},
    {"section", SCHEMA_STRING, AT(section), .sentence = "Section of the source."},
    {"sources", SCHEMA_SWITCH, AT(shows_sources),
     "Always compare steps with their source, not only when the reader turns this on "
     "(U).",
     .otherwise = "false"},
    {"block", SCHEMA_CHOICE, AT(block), "Position on the map of the transformer.",
     .word = block_word, .least = LESSON_BLOCK_IDS},
    {"tokens", SCHEMA_STRINGS, AT(tokens),
     "Row labels of given tensors that have as many rows.",
     .example = "[I, am, learning]"},
    {"labels", SCHEMA_NAMED, AT(labels), "Row and column labels of single tensors.",
     .example = "{X: {rows: [a, b], cols: [c, d]}}", .schema = &labels},
    {"vocabularies", SCHEMA_NAMED, AT(vocabularies),
     "Vocabularies that convert texts to token IDs.",
     .example = "{V: {corpus: [when you play]}}", .schema = &vocabulary},
    {"given", SCHEMA_NAMED, AT(given), "Input tensors of the lesson.",
     .example = "'X: [[1, 0], [0, 1]]'", .schema = &given},
    {"model", SCHEMA_MAPPING, AT(model), "A whole transformer; its steps come first.",
     .schema = &model},
    {"steps", SCHEMA_LIST, AT(steps),
     "Steps, in the order in which they are shown and computed.",
     .example = "'- do: Y = X + 1'", .least = 1, .schema = &step},
    {"changes", SCHEMA_LIST, AT(changes), "Changes to the lesson.",
     .example = "'- {cell: [X, 0, 1], value: 0.5}'", .schema = &SPEC_CHANGE,
     .most = SPEC_CHANGES_MOST},
};

const Schema SPEC_LESSON = {
    "the lesson",
    "A lesson",
    "A text is a string, or one string for each language: `{en: …, zh: …}`. `{A[0, 1]}` "
    "in a text is replaced by that number.",
    sizeof(LessonSpec),
    ROWS(lesson_rows),
    .stray = "parts",
    .elsewhere = "it belongs to a playlist, whose file is called NAME.playlist.yaml"};

void spec_print_views(Writer *writer) {
    writer_text(writer, "### Views of `as:`\n\n"
                        "In the window, the key V changes to the next view that fits.\n\n"
                        "| `as:` | What it draws | What it needs |\n|---|---|---|\n");
    for (LessonView view = LESSON_VIEW_HEATMAP; view < LESSON_VIEW_COUNT; view++)
        writer_format(writer, "| `%s` | %s | %s |\n", lesson_view_name(view),
                      lesson_view_draws(view), lesson_view_needs(view));
    writer_text(writer, "\n");
}
