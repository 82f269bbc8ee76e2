/* Files in the published layouts: every tensor of every layer equals that of PyTorch's
 * models (tests/reference/layouts.py), and files that don't fit are reported. */
#include "close.h"
#include "contains.h"
#include "tensor/tape/tape.h"
#include "weights_bench.h"

static void load_file(Bench *bench) {
    char path[100];
    snprintf(path, sizeof path, "layouts/%s.safetensors", bench->reference->name);
    bench->file = reference_bytes(bench->arena, path);
}

/* The model of that name. */
static Bench bench_of(const char *name) {
    Bench bench = bench_new();
    FILE *file = model_reference_open_named("layouts.txt");
    bool found = false;
    while (!found && model_reference_next(file, bench.reference))
        found = strcmp(bench.reference->name, name) == 0;
    fclose(file);
    assert_true(found);
    load_file(&bench);
    return bench;
}

static bool read_weights(Bench *bench) {
    bench->error = (Error){0};
    return weights_read(&bench->weights, bench->arena, "a.safetensors", bench->file.bytes,
                        bench->file.length, &bench->reference->shape, &bench->error);
}

/* ---- numbers ---- */

static void check_outputs(const ModelReference *reference, const Tape *tape,
                          double tolerance) {
    for (size_t i = 0; i < reference->output_count; i++) {
        const ModelOutput *expected = &reference->outputs[i];
        size_t node = tape_find(tape, expected->name);
        if (node == TAPE_NONE)
            fail_msg("%s has no %s", reference->name, expected->name);
        const Tensor *actual = &tape_node(tape, node)->output;
        print_message("# %s %s\n", reference->name, expected->name);
        assert_int_equal(actual->rows, expected->tensor.rows);
        assert_int_equal(actual->cols, expected->tensor.cols);
        assert_close(actual->values, expected->tensor.values, tensor_cells(actual),
                     tolerance);
    }
}

static void test_every_tensor_is_pytorchs(void **state) {
    Bench bench = bench_new();
    FILE *file = model_reference_open_named("layouts.txt");
    size_t models = 0, outputs = 0;
    for (; model_reference_next(file, bench.reference); models++) {
        ModelReference *reference = bench.reference;
        Transformer model;
        load_file(&bench);
        Tape *tape = tape_create(bench.arena);
        if (!read_weights(&bench) ||
            !transformer_append(tape, bench.arena, &reference->shape, &reference->input,
                                weights_fill(&bench.weights), &model, &bench.error))
            fail_msg("%s: %s", reference->name, bench.error.message);
        check_outputs(reference, tape,
                      models > 5                       ? 1e-12
                      : strstr(reference->name, "F64") ? 1e-9
                                                       : 1e-5);
        outputs += reference->output_count;
    }
    fclose(file);
    print_message("# %zu models, %zu tensors\n", models, outputs);
    assert_int_equal(models, 10);
    bench_free(&bench);
}

/* ---- what does not fit ---- */

typedef void (*Change)(TransformerShape *shape);

static void three_layers(TransformerShape *shape) {
    shape->decoder_layers = 3;
}

static void post_norm(TransformerShape *shape) {
    shape->pre_norm = false;
}

static void pre_norm(TransformerShape *shape) {
    shape->pre_norm = true;
}

static void as_encoder(TransformerShape *shape) {
    shape->kind = TRANSFORMER_ENCODER;
    shape->encoder_layers = 2;
    shape->source_vocabulary = 9;
}

static void without_places(TransformerShape *shape) {
    shape->positions = TRANSFORMER_POSITIONS_SINES;
}

static void untied(TransformerShape *shape) {
    shape->tied = false;
}

static void without_biases(TransformerShape *shape) {
    shape->biases = false;
}

static void without_final_norm(TransformerShape *shape) {
    shape->final_norm = false;
}

static void narrow(TransformerShape *shape) {
    shape->d_model = 4;
}

static void wide_network(TransformerShape *shape) {
    shape->d_ff = 17;
}

static void more_words(TransformerShape *shape) {
    shape->target_vocabulary = 12;
}

static void more_places(TransformerShape *shape) {
    shape->context = 7;
}

static void gated(TransformerShape *shape) {
    shape->activation = ACTIVATION_SWIGLU;
}

static void without_segments(TransformerShape *shape) {
    shape->segments = 0;
}

static void more_segments(TransformerShape *shape) {
    shape->segments = 3;
}

static void without_embedding_norm(TransformerShape *shape) {
    shape->embedding_norm = false;
}

static void more_shared(TransformerShape *shape) {
    shape->kv_heads = 2;
}

static void layer_norm(TransformerShape *shape) {
    shape->rms = false;
}

static void test_what_does_not_fit_is_said_with_what_would(void **state) {
    static const struct {
        const char *file;
        Change change;
        const char *words[2];
    } rows[] = {
        {"gpt2_F64",
         three_layers,
         {"a.safetensors: it has no 'h.2.attn.c_attn.weight'",
          "the file has 2 decoder layers and the model 3"}},
        {"gpt2_F64", post_norm, {"GPT-2, whose norms are before", "'norm: pre'"}},
        {"bert_F64", pre_norm, {"BERT, whose norms are after", "'norm: post'"}},
        {"gpt2_F64", as_encoder, {"those of GPT-2", "'kind: decoder'"}},
        {"gpt2_F64",
         without_places,
         {"it has 'transformer.wpe.weight'", "'positions: learned'"}},
        {"gpt2_F64", untied, {"it has no 'lm_head.weight'", "write 'tie: true'"}},
        {"gpt2_F64",
         without_biases,
         {"c_attn.bias', which this model", "'biases: true'"}},
        {"gpt2_F64", without_final_norm, {"ln_f.", "'final_norm: true'"}},
        {"gpt2_F64",
         narrow,
         {"wte.weight' is [9,8], but this model's is [9,4]", "'d_model: 8'"}},
        {"gpt2_F64",
         wide_network,
         {"c_fc.weight' is [8,16], but this model's is [8,17]", "'d_ff: 16'"}},
        {"gpt2_F64",
         more_words,
         {"is [9,8], but this model's is [12,8]",
          "a vocabulary of 9 would fit: the file has 9 rows"}},
        {"gpt2_F64", more_places, {"'wpe.weight' is [5,8]", "'context: 5' would fit"}},
        {"gpt2_F64", gated, {"W_gate'", "isn't 'activation: swiglu'"}},
        {"bert_F64", without_segments, {"token_type_embeddings", "write 'segments:'"}},
        {"bert_F64",
         more_segments,
         {"is [2,8], but this model's is [3,8]", "'segments: 2' would fit"}},
        {"bert_F64",
         without_embedding_norm,
         {"embeddings.LayerNorm.", "'embedding_norm: true'"}},
        {"llama_F64",
         more_shared,
         {"k_proj.weight' is [4,8], but this model's is [8,8]",
          "'kv_heads: 1' would fit"}},
        {"llama_F64", layer_norm, {"it has no 'decoder.0.norm_1.beta'", "'norm: rms'"}},
        {"llama_F64", without_final_norm, {"'model.norm.weight'", "'final_norm: true'"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench = bench_of(rows[i].file);
        rows[i].change(&bench.reference->shape);
        bool good = read_weights(&bench);
        for (size_t k = 0; k < 2; k++) {
            if (good || !strstr(bench.error.message, rows[i].words[k]))
                fail_msg("row %zu: %s", i, good ? "no error" : bench.error.message);
        }
        bench_free(&bench);
    }
}

/* The logits' matrix may stand in the file of a tied model if it is the table's. */
static void test_a_tied_matrix_must_be_the_table(void **state) {
    Bench bench = bench_of("gpt2_F32");
    assert_true(read_weights(&bench));
    const SafetensorsTensor *again =
        safetensors_tensor(&bench.weights.tensors, "lm_head.weight");
    bench.file.bytes[again->bytes - bench.file.bytes] ^= 1;
    assert_false(read_weights(&bench));
    assert_contains(bench.error.message, "it has 'lm_head.weight'");
    assert_contains(bench.error.message, "'tie: false'");
    bench_free(&bench);
}

static uint8_t *find_text(ReferenceBytes file, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= file.length; i++) {
        if (memcmp(file.bytes + i, text, length) == 0)
            return file.bytes + i;
    }
    return NULL;
}

static void rename_all(ReferenceBytes file, const char *from, const char *to) {
    assert_int_equal(strlen(from), strlen(to));
    for (uint8_t *at; (at = find_text(file, from));)
        memcpy(at, to, strlen(to));
}

/* Names of other architectures are reported, not mistaken for similar ones. */
static void test_other_layouts_are_told(void **state) {
    static const struct {
        const char *file, *from, *to;
        const char *words[2];
    } rows[] = {
        {"gpt2_F64",
         "transformer.",
         "transfurmer.",
         {"of none of the layouts that are read (nn.Transformer, GPT-2,",
          "it has e.g. 'transfurmer."}},
        {"bert_F64",
         "embeddings.word",
         "embeddingz.word",
         {"of none of the layouts", "it has e.g. 'embedding"}},
        {"llama_F64",
         "self_attn.o_proj",
         "self_attn.dense_",
         {"begin as LLaMA's, but it has 'model.layers.0.self_attn.dense_.weight'",
          "computes something else"}},
        {"llama_F64",
         "mlp.down_proj",
         "mlp.q_norm_it",
         {"but it has 'model.layers.0.mlp.q_norm_it.weight'", "LLaMA); a model"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench = bench_of(rows[i].file);
        rename_all(bench.file, rows[i].from, rows[i].to);
        bool good = read_weights(&bench);
        for (size_t k = 0; k < 2; k++) {
            if (good || !strstr(bench.error.message, rows[i].words[k]))
                fail_msg("row %zu: %s", i, good ? "no error" : bench.error.message);
        }
        bench_free(&bench);
    }
}

static void other_base(TransformerShape *shape) {
    shape->rotary_base = 500000;
}

/* The second of the two frequencies of a head, at the end of its file. */
static void test_stored_frequencies_are_those_of_the_base(void **state) {
    Bench bench = bench_of("llama_inv_F64");
    assert_true(read_weights(&bench));
    assert_int_equal(bench.weights.ignored, 1);
    other_base(&bench.reference->shape);
    assert_false(read_weights(&bench));
    assert_contains(bench.error.message,
                    "inv_freq' has the frequency 0.01 at [1], but the rotary "
                    "base 500000");
    assert_contains(bench.error.message, "'rotary_base: 10000' would fit");
    bench_free(&bench);
}

/* With one frequency only 2 of a head's 4 columns would be rotated, with none no column.
 * The frequencies are the file's last numbers. */
static void test_stored_frequencies_are_those_of_whole_heads(void **state) {
#define TWO "[2], \"data_offsets\": [4608, 4624]"
    static const struct {
        const char *to;
        size_t missing;
        const char *words;
    } rows[] = {
        {"[1], \"data_offsets\": [4608, 4616]", 1,
         "inv_freq' holds 1 number, but must hold 2, half of"},
        {"[ ], \"data_offsets\": [4608, 4616]", 1,
         "inv_freq' holds 1 number, but must hold 2, half of"},
        {"[0], \"data_offsets\": [4608, 4608]", 2,
         "inv_freq' holds 0 numbers, but must hold 2, half of"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench = bench_of("llama_inv_F64");
        assert_non_null(find_text(bench.file, TWO));
        rename_all(bench.file, TWO, rows[i].to);
        bench.file.length -= 8 * rows[i].missing;
        if (read_weights(&bench) || !strstr(bench.error.message, rows[i].words))
            fail_msg("row %zu: %s", i, bench.error.message);
        bench_free(&bench);
    }
#undef TWO
}

/* Heads of 2 columns have one frequency. */
static void test_more_frequencies_than_pairs_are_refused(void **state) {
    Bench bench = bench_of("llama_inv_F64");
    bench.reference->shape.heads *= 2;
    bench.reference->shape.kv_heads *= 2;
    assert_false(read_weights(&bench));
    assert_contains(bench.error.message,
                    "inv_freq' holds 2 numbers, but must hold 1, half of a head's 2");
    bench_free(&bench);
}

/* The message about a frequency that no base gives suggests no base. */
static void test_advice_is_a_finite_base(void **state) {
    static const struct {
        double value;
        size_t back; /* cells from the end of the file */
        const char *words;
    } rows[] = {
        {0, 1, "the frequency 0 at [1], but the rotary base 10000 gives"},
        {-1, 1, "the frequency -1 at [1]"},
        {1e-200, 1, "the frequency 1e-200 at [1]"},
        {2, 2, "the frequency 2 at [0]"},
        {INFINITY, 1, "' is infinite at [1]; all numbers must be finite"},
        {NAN, 1, "' is not a number at [1]; all numbers must be finite"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench = bench_of("llama_inv_F64");
        assert_true(read_weights(&bench));
        memcpy(bench.file.bytes + bench.file.length - 8 * rows[i].back, &rows[i].value,
               8);
        assert_false(read_weights(&bench));
        if (!strstr(bench.error.message, rows[i].words) ||
            strstr(bench.error.message, "rotary_base: "))
            fail_msg("row %zu: %s", i, bench.error.message);
        bench_free(&bench);
    }
}

/* A weight that one layer lacks and others have is missing. */
static void test_a_bias_is_there_in_all_layers_or_none(void **state) {
    Bench bench = bench_of("qwen2_F64");
    rename_all(bench.file, "layers.1.self_attn.k_proj.bias",
               "layers.5.self_attn.k_proj.bias");
    assert_false(read_weights(&bench));
    assert_contains(bench.error.message, "it has no 'layers.1.self_attn.");
    bench_free(&bench);
}

static void test_files_of_other_kinds_are_told(void **state) {
    static const struct {
        const char *bytes, *words;
    } rows[] = {
        {"GGUF\3\1\1\1\1\1\1\1", "a GGUF file"},
        {"PK\3\4\1\1\1\1\1\1\1\1", "a file of torch.save"},
        {"\x80\2\x8a\nl\xfc\x9c\x46\xf9", "a file of torch.save"},
        {"{\"metadata\": {}}", "the index of weights in several files"},
        {"version https://git-lfs.github.com/spec/v1",
         "Git LFS's pointer to the weights"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bench bench = bench_of("gpt2_F64");
        bench.file = (ReferenceBytes){.bytes = (uint8_t *)rows[i].bytes,
                                      .length = strlen(rows[i].bytes)};
        assert_false(read_weights(&bench));
        if (!strstr(bench.error.message, rows[i].words))
            fail_msg("row %zu: %s", i, bench.error.message);
        bench_free(&bench);
    }
}

/* Whole numbers are no weights. */
static void test_a_weight_has_a_type_of_weights(void **state) {
    Bench bench = bench_of("gpt2_F64");
    uint8_t *at = find_text(bench.file, "F64");
    assert_non_null(at);
    memcpy(at, "I64", 3);
    assert_false(read_weights(&bench));
    assert_contains(bench.error.message, "has the type 'I64'; weights are F64");
    bench_free(&bench);
}

static void test_damaged_files_break_nothing(void **state) {
    static const char *const names[] = {"gpt2_F32", "bert_BF16", "llama_F16"};
    size_t read = 0;
    for (size_t i = 0; i < 3 * 200; i++) {
        Bench bench = bench_of(names[i % 3]);
        Random random;
        random_init(&random, i);
        uint64_t header = bench.file.bytes[0] + 256u * bench.file.bytes[1];
        for (size_t k = 0; k <= i % 2; k++)
            bench.file.bytes[8 + random_below(&random, header)] ^=
                (uint8_t)(1 << random_below(&random, 7));
        bool good = read_weights(&bench);
        assert_true(good || (bench.error.code != ERROR_NONE && *bench.error.message));
        read += good;
        bench_free(&bench);
    }
    print_message("# %zu read\n", read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_tensor_is_pytorchs),
        cmocka_unit_test(test_what_does_not_fit_is_said_with_what_would),
        cmocka_unit_test(test_a_tied_matrix_must_be_the_table),
        cmocka_unit_test(test_other_layouts_are_told),
        cmocka_unit_test(test_stored_frequencies_are_those_of_the_base),
        cmocka_unit_test(test_stored_frequencies_are_those_of_whole_heads),
        cmocka_unit_test(test_more_frequencies_than_pairs_are_refused),
        cmocka_unit_test(test_advice_is_a_finite_base),
        cmocka_unit_test(test_a_bias_is_there_in_all_layers_or_none),
        cmocka_unit_test(test_files_of_other_kinds_are_told),
        cmocka_unit_test(test_a_weight_has_a_type_of_weights),
        cmocka_unit_test(test_damaged_files_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
