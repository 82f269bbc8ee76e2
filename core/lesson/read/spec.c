#include "lesson/read/spec.h"

#include "lesson/content/content.h"
#include "model/build/transformer.h"
#include "model/learn/train.h"
#include "text/bpe.h"
#include "text/tokenizer.h"

#define ROWS(array) .rows = array, .count = sizeof array / sizeof *array

/* ---- words ---- */

static const char *tokenizer_word(size_t index) {
    const TokenizerKind *kind = tokenizer_kind(index);
    return kind ? kind->name : NULL;
}

static const char *kind_word(size_t index) {
    return index < TRANSFORMER_KIND_COUNT ? transformer_kind_name((TransformerKind)index)
                                          : NULL;
}

static const char *positions_word(size_t index) {
    return index < TRANSFORMER_POSITIONS_COUNT
               ? transformer_positions_name((TransformerPositions)index)
               : NULL;
}

static const char *activation_word(size_t index) {
    return index < ACTIVATION_COUNT ? activation_name((Activation)index) : NULL;
}

static const char *optimizer_word(size_t index) {
    return index < OPTIMIZER_KIND_COUNT ? optimizer_kind_name((OptimizerKind)index)
                                        : NULL;
}

static const char *view_word(size_t index) {
    size_t view = index + LESSON_VIEW_HEATMAP;
    return view < LESSON_VIEW_COUNT ? lesson_view_name((LessonView)view) : NULL;
}

static const char *block_word(size_t index) {
    size_t block = index + LESSON_BLOCK_IDS;
    return block < LESSON_BLOCK_COUNT ? lesson_block_name((LessonBlock)block) : NULL;
}

static const char *rule_word(size_t index) {
    return index < GENERATE_RULE_COUNT ? generate_rule_name((GenerateRule)index) : NULL;
}

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

static const char *tokens_word(size_t index) {
    return index ? NULL : "tokens";
}

static const char *all_word(size_t index) {
    return index ? NULL : "all";
}

/* ---- labels, vocabularies, given tensors ---- */

#define AT(member) offsetof(LabelsSpec, member)

static const SchemaRow label_rows[] = {
    {"rows", SCHEMA_STRINGS, AT(rows), "of the rows", .example = "[a, b]",
     .word = tokens_word},
    {"cols", SCHEMA_STRINGS, AT(cols), "of the columns", .example = "[a, b]",
     .word = tokens_word},
};

static const Schema labels = {"labels", "`labels:`, one tensor's",
                              "`labels: {X: {rows: tokens, cols: [a, b]}}`",
                              sizeof(LabelsSpec), ROWS(label_rows)};

#undef AT
#define AT(member) offsetof(VocabularySpec, member)

static const SchemaRow vocabulary_rows[] = {
    {"file", SCHEMA_NAME, AT(file),
     "a `tokenizer.json` beside the lesson, which says all of it",
     .example = "tokenizer.json"},
    {"frame", SCHEMA_SWITCH, AT(frame),
     "whether a text gets the tokens round it that the `file:` says",
     .otherwise = "true"},
    {"tokenizer", SCHEMA_CHOICE, AT(tokenizer), "how texts are cut",
     .word = tokenizer_word, .otherwise = "whitespace"},
    {"special", SCHEMA_STRINGS, AT(special),
     "tokens that are taken out of a text whole; they have the first IDs",
     .example = "[\"[UNK]\", \"[PAD]\"]"},
    {"tokens", SCHEMA_TOKENS, AT(tokens),
     "the tokens, in the order of their IDs or each with its own",
     .example = "[you, win]"},
    {"corpus", SCHEMA_STRINGS, AT(corpus),
     "texts that teach the tokens, in the order of their first appearance",
     .example = "[you win, you die]"},
    {"corpus_file", SCHEMA_NAME, AT(corpus_file),
     "or a file beside the lesson, each of whose lines is such a text",
     .example = "words.txt"},
    {"merges", SCHEMA_WHOLE, AT(merges),
     "how many `bpe` or `byte_bpe` learns from the corpus", .most = BPE_MERGES_MAX,
     .otherwise = "10", .when = "tokenizer: bpe byte_bpe"},
    {"first", SCHEMA_WHOLE, AT(first), "the first ID", .most = VOCABULARY_ID_MAX,
     .otherwise = "0"},
    {"lower_case", SCHEMA_SWITCH, AT(lower_case), "texts are looked up in small letters",
     .otherwise = "false"},
};

static const Schema vocabulary = {
    "a vocabulary", "`vocabularies:`, each",
    "`vocabularies: {V: {corpus: [you win], first: 1}}`. `wordpiece` is BERT's; of a "
    "word of more than 200 characters it makes `[UNK]`, as the published code does "
    "(`max_input_chars_per_word`).",
    sizeof(VocabularySpec), ROWS(vocabulary_rows)};

#undef AT
#define AT(member) offsetof(GivenSpec, member)

static const SchemaRow given_rows[] = {
    {"random", SCHEMA_PAIR, AT(size), "rows and columns of standard normal numbers",
     .example = "[2, 3]", .least = 1, .most = TENSOR_MAX_CELLS, .marks = true},
    {"seed", SCHEMA_WHOLE, AT(seed), "of the random numbers", .otherwise = "0",
     .with = "random"},
    {"scale", SCHEMA_NUMBER, AT(scale), "that the random numbers are multiplied by",
     .otherwise = "1", .with = "random"},
    {"text", SCHEMA_NAME, AT(text), "a text: the row of its tokens' IDs, labelled",
     .marks = true},
    {"corpus_after", SCHEMA_WHOLE, AT(corpus_after),
     "the corpus of a `bpe` vocabulary as it was cut after so many merges",
     .most = BPE_MERGES_MAX, .marks = true},
    {"vocabulary", SCHEMA_NAME, AT(vocabulary), "what cuts it", .example = "V",
     .needed = true, .with = "text corpus_after"},
    {"begin", SCHEMA_STRING, AT(begin), "a token before the text", .with = "text"},
    {"end", SCHEMA_STRING, AT(end), "a token behind the text", .with = "text"},
};

static const Schema given = {
    .title = "`given:`, each tensor",
    .sentence = "Numbers, `X: [[1, 0], [0, 1]]` (a list is one row, a number is 1 × 1; "
                "`inf` and `-inf` are numbers), or one of these:",
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
    {"text", SCHEMA_TEXT, AT(text), "what is chosen", .example = "one takes all",
     .needed = true},
    {"right", SCHEMA_SWITCH, AT(right), "of exactly one: it is the answer",
     .otherwise = "false"},
    {"because", SCHEMA_TEXT, AT(because), "why it is wrong; each wrong one has it",
     .example = "there would be nothing left to share"},
};

static const Schema option = {"a choice", "`choose:`, each",
                              "They stand in another order on the page.",
                              sizeof(OptionSpec), ROWS(option_rows)};

#undef AT
#define AT(member) offsetof(DirectionSpec, member)

static const SchemaRow direction_rows[] = {
    {"of", SCHEMA_CELL, AT(of), "the number that is watched: tensor, row, column",
     .example = "[A, 0, 1]", .needed = true},
    {"cell", SCHEMA_CELL, AT(cell), "a number that changes", .example = "[S, 0, 2]",
     .marks = true},
    {"all", SCHEMA_NAME, AT(all), "a tensor all of whose numbers change", .example = "S",
     .marks = true},
    {"mute", SCHEMA_NAME, AT(mute), "an operation that is left out",
     .example = "S_scaled", .marks = true},
    {"times", SCHEMA_NUMBER, AT(times), "what is multiplied by so much", .otherwise = "1",
     .with = "cell all"},
    {"add", SCHEMA_NUMBER, AT(add), "and then grows by so much", .otherwise = "0",
     .with = "cell all"},
};

static const Schema direction = {
    "direction", "`direction:`",
    "Does the number go up, go down or stay the same, to three decimals, when another "
    "one changes? The program computes the answer.",
    sizeof(DirectionSpec), ROWS(direction_rows)};

#undef AT
#define AT(member) offsetof(AskSpec, member)

static const SchemaRow ask_rows[] = {
    {"cell", SCHEMA_PAIR, AT(cell), "what is the number there? row and column, from 0",
     .example = "[2, 0]", .most = TENSOR_MAX_CELLS, .marks = true},
    {"choose", SCHEMA_LIST, AT(choose), "which of these is right? two to four of them",
     .example = "'- {text: the last, right: true}'", .least = 2,
     .most = QUESTION_OPTIONS_MAX, .schema = &option, .marks = true},
    {"order", SCHEMA_TEXTS, AT(order),
     "in which order do these come? written in the right one, two to four of them",
     .example = "[scores, shares, mixture]", .least = 2, .most = QUESTION_OPTIONS_MAX,
     .marks = true},
    {"direction", SCHEMA_MAPPING, AT(direction),
     "which way does a number go when another one changes?", .schema = &direction,
     .example = "{of: [A, 0, 1], cell: [S, 0, 2], add: 1}", .marks = true},
    {"think", SCHEMA_TEXT, AT(think), "something to think about before one looks",
     .example = "What would you expect?", .marks = true},
    {"question", SCHEMA_TEXT, AT(question),
     "the question in words; a number and a direction have their own without",
     .example = "Which word wins?", .with = "cell choose order direction"},
    {"because", SCHEMA_TEXT, AT(because), "one line why the answer is so",
     .example = "A row sums to 1."},
    {"open", SCHEMA_SWITCH, AT(open), "the picture is seen while it is asked",
     .otherwise = "false"},
};

static const Schema ask = {"ask", "`ask:`",
                           "What a learner is asked before the step shows its result (N "
                           "turns this off and on), and again when practising (P).",
                           sizeof(AskSpec), ROWS(ask_rows)};

#undef AT
#define AT(member) offsetof(TrainStepSpec, member)

static const SchemaRow train_step_rows[] = {
    {"watch", SCHEMA_STRINGS, AT(watch),
     "up to four tensors of the model; `probabilities` where nothing is said",
     .example = "[probabilities]", .most = SPEC_WATCH_MOST},
};

static const Schema train_step = {
    "train", "`train:` of a step",
    "The training of `weights: {train: …}` as a film: its epochs, and their updates.",
    sizeof(TrainStepSpec), ROWS(train_step_rows)};

#undef AT
#define AT(member) offsetof(GenerateSpec, member)

static const SchemaRow generate_rows[] = {
    {"name", SCHEMA_NAME, AT(name),
     .sentence = "of what is said; `said`, `said_2`, … where nothing is said"},
    {"rule", SCHEMA_CHOICE, AT(options.rule), "how words are chosen", .word = rule_word,
     .otherwise = "greedy"},
    {"length", SCHEMA_WHOLE, AT(options.length), "at most so many words", .least = 1,
     .most = GENERATE_LENGTH_MAX, .otherwise = "16"},
    {"text", SCHEMA_WORDS, AT(text), "another source than the lesson's",
     .example = "you win"},
    {"begin", SCHEMA_WORDS, AT(begin), "what the decoder goes on with",
     .example = "[<sos>, you]"},
    {"cache", SCHEMA_SWITCH, AT(options.cache),
     "keys and values are kept from turn to turn", .otherwise = "false"},
    {"temperature", SCHEMA_NUMBER, AT(options.temperature),
     "above 1 more varied, below 1 less", .most = SCHEMA_MOST, .above = true,
     .otherwise = "1", .when = "rule: sample"},
    {"top_k", SCHEMA_WHOLE, AT(options.top_k), "sample among the likeliest so many only",
     .least = 1, .most = TENSOR_MAX_CELLS, .when = "rule: sample"},
    {"top_p", SCHEMA_NUMBER, AT(options.top_p),
     "sample among the likeliest that have this share", .most = 1, .above = true,
     .otherwise = "1", .when = "rule: sample"},
    {"seed", SCHEMA_WHOLE, AT(seed), "the same gives the same words", .otherwise = "0",
     .when = "rule: sample"},
    {"draws", SCHEMA_WHOLE, AT(draws),
     "so many more draws a turn, counted in `drawn_NAME`", .least = 1,
     .most = GENERATE_DRAWS_MAX, .when = "rule: sample"},
    {"beam", SCHEMA_WHOLE, AT(options.width), "how many texts are kept", .least = 1,
     .most = GENERATE_WIDTH_MAX, .otherwise = "3", .when = "rule: beam"},
    {"length_exponent", SCHEMA_NUMBER, AT(options.length_exponent),
     "A in the score, sum of log chances / lengthᴬ", .most = SCHEMA_MOST,
     .otherwise = "0", .when = "rule: beam"},
};

static const Schema generate = {
    "generate", "`generate:`",
    "The model says words. All tensors of a turn have names, `said.turn_1.next_logits`; "
    "`logits_said`, `cost_said` and `drawn_said` tell how it went. A turn's "
    "`probabilities` are of the words that can be said: padding, ID 0, can't.",
    sizeof(GenerateSpec), ROWS(generate_rows)};

#undef AT
#define AT(member) offsetof(StepSpec, member)

static const SchemaRow step_rows[] = {
    {"do", SCHEMA_STATEMENT, AT(compute),
     "computes: `NAME = expression`, or an expression", .example = "'Y = X + 1'",
     .marks = true},
    {"show", SCHEMA_NAMES, AT(show), "shows tensors that are there, side by side",
     .example = "'show: X' or 'show: [W_Q, W_K]'", .marks = true},
    {"at", SCHEMA_NAME, AT(at),
     "says more of a step of the model, or of what is made within a step",
     .example = "encoder.0.norm_1", .marks = true},
    {"train", SCHEMA_MAPPING, AT(train), "shows the training", .schema = &train_step,
     .example = "{watch: [probabilities]}", .marks = true},
    {"generate", SCHEMA_MAPPING, AT(generate), "lets the model say words",
     .schema = &generate, .example = "{rule: greedy}", .marks = true},
    {"heading", SCHEMA_TEXT, AT(heading), .sentence = "a question as heading"},
    {"say", SCHEMA_TEXT, AT(say), .sentence = "one or two sentences"},
    {"notes", SCHEMA_TEXT, AT(notes),
     .sentence = "what a lecturer says and asks, on the notes' window only"},
    {"chapter", SCHEMA_TEXT, AT(chapter),
     .sentence = "a chapter of this name begins here"},
    {"tour", SCHEMA_TEXT, AT(tour),
     .sentence = "a station of the three-minute tour, in one sentence"},
    {"hero", SCHEMA_SWITCH, AT(is_cover), "its picture stands for the lesson",
     .otherwise = "false"},
    {"block", SCHEMA_CHOICE, AT(block), "where on the map it goes on from here",
     .word = block_word, .least = LESSON_BLOCK_IDS},
    {"as", SCHEMA_CHOICE, AT(view), "how the tensor is drawn", .word = view_word,
     .least = LESSON_VIEW_HEATMAP, .with = "do show at"},
    {"cell", SCHEMA_STATEMENT, AT(cell),
     "the cell that it opens on; else the first that its words name, then what suits its "
     "picture",
     .example = "'A[am, I]'", .with = "do show at"},
    {"printed", SCHEMA_PRINTED, AT(printed),
     "the result as the lesson's source prints it, `_` where it prints nothing",
     .example = "[[1, 0], [_, 1]]", .with = "do show at"},
    {"source", SCHEMA_TEXT, AT(compared),
     .sentence = "what the source says there, and what is wrong with it: shown to who "
                 "compares (U)"},
    {"document", SCHEMA_STRING, AT(document),
     .sentence = "the step's source where it isn't the lesson's"},
    {"ask", SCHEMA_MAPPING, AT(ask), "what a learner is asked before it is shown",
     .example = "{cell: [2, 0]}", .schema = &ask},
};

static const Schema step = {"a step", "`steps:`, each",
                            "A step does one thing, and may say something to it.",
                            sizeof(StepSpec), ROWS(step_rows)};

/* ---- the model ---- */

#undef AT
#define AT(member) offsetof(TrainSpec, member)

static const SchemaRow train_rows[] = {
    {"pairs", SCHEMA_PAIRS, AT(pairs),
     "sources with their targets, for kind `encoder_decoder`",
     .example = "[[when you play, you win]]", .most = SPEC_EXAMPLES_MOST},
    {"texts", SCHEMA_WORDS_LIST, AT(texts), "texts, for kind `decoder`",
     .example = "[you win or you die]", .most = SPEC_EXAMPLES_MOST},
    {"texts_file", SCHEMA_NAME, AT(texts_file),
     "or a file beside the lesson, each of whose lines is such a text",
     .example = "words.txt"},
    {"epochs", SCHEMA_WHOLE, AT(epochs), "how often all examples are seen", .least = 1,
     .most = TRAIN_MAX_EPOCHS, .otherwise = "200"},
    {"batch", SCHEMA_WHOLE, AT(batch), "examples of an update", .word = all_word,
     .most = SPEC_EXAMPLES_MOST, .otherwise = "all"},
    {"optimizer", SCHEMA_CHOICE, AT(optimizer), "what makes an update of the gradients",
     .word = optimizer_word, .otherwise = "adam"},
    {"learning_rate", SCHEMA_NUMBER, AT(learning_rate), "η", .most = SCHEMA_MOST,
     .above = true, .otherwise = "0.01"},
    {"warmup", SCHEMA_WHOLE, AT(warmup), "updates until η is reached", .otherwise = "0"},
    {"clip", SCHEMA_NUMBER, AT(clip),
     "the gradients' largest length; 0 is not to clip them", .most = SCHEMA_MOST,
     .otherwise = "0"},
    {"seed", SCHEMA_WHOLE, AT(seed), "of the parameters' start and the batches' order",
     .otherwise = "0"},
    {"before", SCHEMA_RENAMED, AT(before),
     "tensors of the untrained model to keep as given ones, each under a new name",
     .example = "{logits_before: logits}", .most = SPEC_BEFORE_MOST},
    {"kept", SCHEMA_NAME, AT(kept),
     "a .safetensors file beside the lesson with what this training came to: read in its "
     "place",
     .example = "mine.safetensors"},
};

static const Schema train = {
    "train", "`train:` of the weights",
    "The model learns when the lesson opens. How is written in full under Training.",
    sizeof(TrainSpec), ROWS(train_rows)};

#undef AT
#define AT(member) offsetof(WeightsSpec, member)

static const SchemaRow weights_rows[] = {
    {"random", SCHEMA_WHOLE, AT(random), "the seed that they are drawn with",
     .marks = true},
    {"file", SCHEMA_NAME, AT(file), "a .safetensors file, beside the lesson",
     .example = "mine.safetensors", .marks = true},
    {"train", SCHEMA_MAPPING, AT(train), "they are trained", .schema = &train,
     .marks = true},
};

static const Schema weights = {
    "'weights:'", "`weights:`",
    "Where the parameters come from; `{random: 0}` where nothing is said.",
    sizeof(WeightsSpec), ROWS(weights_rows)};

#undef AT
#define AT(member) offsetof(ModelSpec, member)

static const SchemaRow model_rows[] = {
    {"kind", SCHEMA_CHOICE, AT(kind), "which towers it has", .word = kind_word,
     .otherwise = "encoder_decoder"},
    {"d_model", SCHEMA_WHOLE, AT(d_model), "how wide it is", .example = "8", .least = 1,
     .most = TRANSFORMER_WIDTH_MAX, .needed = true},
    {"heads", SCHEMA_WHOLE, AT(heads), "of each attention; they share d_model",
     .least = 1, .most = TRANSFORMER_WIDTH_MAX, .otherwise = "1"},
    {"kv_heads", SCHEMA_WHOLE, AT(kv_heads),
     "as many heads have keys and values of their own, the others share them; as many as "
     "`heads:` where nothing is said",
     .least = 1, .most = TRANSFORMER_WIDTH_MAX},
    {"d_ff", SCHEMA_WHOLE, AT(d_ff),
     "the feed-forward network's width; 4 d_model where nothing is said", .least = 1,
     .most = TENSOR_MAX_CELLS},
    {"layers", SCHEMA_WHOLE, AT(layers), "of each tower", .least = 1,
     .most = TRANSFORMER_LAYERS_MAX, .otherwise = "1"},
    {"encoder_layers", SCHEMA_WHOLE, AT(encoder_layers), "where the towers differ",
     .least = 1, .most = TRANSFORMER_LAYERS_MAX},
    {"decoder_layers", SCHEMA_WHOLE, AT(decoder_layers), "where the towers differ",
     .least = 1, .most = TRANSFORMER_LAYERS_MAX},
    {"context", SCHEMA_WHOLE, AT(context),
     "how many tokens of a text it reads at most; as many as there are where nothing is "
     "said",
     .least = 1, .most = TENSOR_MAX_CELLS},
    {"norm", SCHEMA_CHOICE, AT(norm),
     "where layer norm stands: behind or before; `rms` is before, and RMS norm in its "
     "place",
     .word = norm_word, .least = LESSON_NORM_POST, .otherwise = "post"},
    {"final_norm", SCHEMA_SWITCH, AT(final_norm),
     .sentence = "a norm behind each tower; `norm: pre` and `norm: rms` bring it along"},
    {"epsilon", SCHEMA_NUMBER, AT(epsilon), "ε of the norms", .most = SCHEMA_MOST,
     .otherwise = "1e-5"},
    {"scale_embedding", SCHEMA_SWITCH, AT(scale_embedding),
     "embeddings are multiplied by √d_model", .otherwise = "false"},
    {"positions", SCHEMA_CHOICE, AT(positions),
     "what tells a word's place; `learned` has a row of weights for each place of the "
     "`context:`, `rotary` turns queries and keys",
     .word = positions_word, .otherwise = "sines"},
    {"rotary_base", SCHEMA_NUMBER, AT(rotary_base),
     "rotary positions turn pair i of a head's d columns by place / base^(2i/d)",
     .most = SCHEMA_MOST, .above = true, .otherwise = "10000",
     .when = "positions: rotary"},
    {"activation", SCHEMA_CHOICE, AT(activation),
     "what bends the feed-forward network; `swiglu` is silu(x W_gate) · (x W_up), then "
     "W_down",
     .word = activation_word, .otherwise = "relu"},
    {"segments", SCHEMA_WHOLE, AT(segments),
     "rows of a table of segments, as BERT has it; the first is added to every word",
     .most = TENSOR_MAX_CELLS, .otherwise = "0"},
    {"embedding_norm", SCHEMA_SWITCH, AT(embedding_norm), "a norm before the first layer",
     .otherwise = "false"},
    {"biases", SCHEMA_SWITCH, AT(biases), "linear maps have them", .otherwise = "true"},
    {"tie", SCHEMA_SWITCH, AT(tie),
     "the logits are of the embedding's own table, x Eᵀ, without a bias",
     .otherwise = "false"},
    {"source", SCHEMA_WORDS, AT(source), "what the encoder reads",
     .example = "when you play"},
    {"target", SCHEMA_WORDS, AT(target), "what the decoder reads", .example = "you win"},
    {"expected", SCHEMA_WORDS, AT(expected),
     "what should be said, for the loss; without a `target:` the decoder reads it one "
     "place late",
     .example = "you win or you die"},
    {"vocabulary", SCHEMA_VOCABULARY, AT(vocabulary),
     "the words; ID 0 is padding, the first token has 1", .example = "[you, win, die]"},
    {"padding", SCHEMA_SWITCH, AT(padding),
     "ID 0 is padding; `false` where it is a token like others, as GPT-2's",
     .otherwise = "true"},
    {"corpus", SCHEMA_STRINGS, AT(corpus), "or the texts whose tokens they are",
     .example = "[you win or you die]"},
    {"target_vocabulary", SCHEMA_VOCABULARY, AT(target_vocabulary),
     "of the target, where it has words of its own", .example = "[you, win, die]"},
    {"target_corpus", SCHEMA_STRINGS, AT(target_corpus), "the same as texts",
     .example = "[you win or you die]"},
    {"separate", SCHEMA_SWITCH, AT(separate),
     "takes the words of source and target from a training's examples, each its own",
     .otherwise = "false"},
    {"tokenizer", SCHEMA_CHOICE, AT(tokenizer), "how texts are cut",
     .word = tokenizer_word, .otherwise = "whitespace"},
    {"merges", SCHEMA_WHOLE, AT(merges),
     "how many `bpe` or `byte_bpe` learns from the corpus", .most = BPE_MERGES_MAX,
     .otherwise = "100", .when = "tokenizer: bpe byte_bpe"},
    {"start", SCHEMA_STRING, AT(start), "the token that begins a target",
     .otherwise = "<sos>"},
    {"end", SCHEMA_STRING, AT(end), "the token that ends a target", .otherwise = "<eos>"},
    {"weights", SCHEMA_MAPPING, AT(weights), "where the parameters come from",
     .example = "{random: 1}", .schema = &weights},
    {"steps", SCHEMA_SWITCH, AT(steps), "`false` leaves out the model's own steps",
     .otherwise = "true"},
};

static const Schema model = {
    "the model", "`model:`",
    "A whole transformer. It needs `d_model`, its texts and their words; these are those "
    "of a training's examples where nothing else says them.",
    sizeof(ModelSpec), ROWS(model_rows)};

/* ---- changes ---- */

#undef AT
#define AT(member) offsetof(ChangeSpec, member)

static const SchemaRow change_rows[] = {
    {"cell", SCHEMA_CELL, AT(cell),
     "a cell that is set: tensor, row, column, from 0; what has no name goes by its "
     "step's path, \"8.2\"",
     .example = "[X, 0, 1]", .marks = true},
    {"value", SCHEMA_NUMBER, AT(value), "what it is set to", .example = "0.5",
     .needed = true, .with = "cell"},
    {"mute", SCHEMA_NAME, AT(mute),
     "an operation that is left out; its first input passes through", .example = "S",
     .marks = true},
    {"text", SCHEMA_STRING, AT(text), "in place of the file's first text",
     .example = "you win", .marks = true},
    {"heads", SCHEMA_WHOLE, AT(heads), "of the model", .least = 1,
     .most = TRANSFORMER_WIDTH_MAX, .marks = true},
    {"norm", SCHEMA_CHOICE, AT(norm), "of the model", .word = place_word,
     .least = LESSON_NORM_POST, .marks = true},
    {"mask", SCHEMA_CHOICE, AT(mask), "of every self-attention", .word = mask_word,
     .least = TRANSFORMER_MASK_CAUSAL, .marks = true},
    {"temperature", SCHEMA_NUMBER, AT(temperature),
     "of the last softmax and of drawn words", .most = SCHEMA_MOST, .above = true,
     .marks = true},
};

const Schema SPEC_CHANGE = {
    "a change", "`changes:`, each",
    "What `Ctrl+S` writes: one thing that is otherwise. All else is computed from there.",
    sizeof(ChangeSpec), ROWS(change_rows)};

/* ---- the lesson ---- */

#undef AT
#define AT(member) offsetof(LessonSpec, member)

static const SchemaRow lesson_rows[] = {
    {"title", SCHEMA_TEXT, AT(title), "what the lesson is called",
     .example = "One attention head, by hand", .needed = true},
    {"about", SCHEMA_TEXT, AT(about), .sentence = "one sentence on what it is about"},
    {"goal", SCHEMA_TEXT, AT(goal),
     .sentence = "what one can do or answer after it, in a sentence"},
    {"needs", SCHEMA_STRINGS, AT(needs), "the lessons that it builds on, by their ids",
     .example = "[08-one-head]"},
    {"remember", SCHEMA_TEXTS, AT(remember),
     "what to take home: a last page of up to three lines, with the hero's picture",
     .example = "[a row of shares sums to 1]", .least = 1, .most = LESSON_REMEMBER_MOST},
    {"part", SCHEMA_TEXT, AT(part),
     .sentence = "the part of the course that it belongs to"},
    {"document", SCHEMA_STRING, AT(document),
     .sentence = "the lesson's source, where printed numbers come from: its title"},
    {"section", SCHEMA_STRING, AT(section), .sentence = "of the source"},
    {"sources", SCHEMA_SWITCH, AT(shows_sources),
     "steps are always compared with their source, not only when that is turned on (U)",
     .otherwise = "false"},
    {"block", SCHEMA_CHOICE, AT(block), "where it is on the transformer's map",
     .word = block_word, .least = LESSON_BLOCK_IDS},
    {"tokens", SCHEMA_STRINGS, AT(tokens),
     "labels for the rows of given tensors that have as many",
     .example = "[I, am, learning]"},
    {"labels", SCHEMA_NAMED, AT(labels), "labels of one tensor's rows and columns",
     .example = "{X: {rows: [a, b], cols: [c, d]}}", .schema = &labels},
    {"vocabularies", SCHEMA_NAMED, AT(vocabularies), "how texts become tokens",
     .example = "{V: {corpus: [when you play]}}", .schema = &vocabulary},
    {"given", SCHEMA_NAMED, AT(given), "the tensors that the lesson starts from",
     .example = "'X: [[1, 0], [0, 1]]'", .schema = &given},
    {"model", SCHEMA_MAPPING, AT(model), "a whole transformer, whose steps come first",
     .schema = &model},
    {"steps", SCHEMA_LIST, AT(steps), "what is shown and computed, one after the other",
     .example = "'- do: Y = X + 1'", .least = 1, .schema = &step},
    {"changes", SCHEMA_LIST, AT(changes), "what is otherwise than the lesson says",
     .example = "'- {cell: [X, 0, 1], value: 0.5}'", .schema = &SPEC_CHANGE,
     .most = SPEC_CHANGES_MOST},
};

const Schema SPEC_LESSON = {
    "the lesson", "A lesson",
    "A text is one string, or one for each language: `{en: …, zh: …}`; `{A[0, 1]}` in it "
    "is that number.",
    sizeof(LessonSpec), ROWS(lesson_rows)};
