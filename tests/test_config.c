/* config.json beside weights: what it says is computed, as PyTorch's models are
 * (tests/reference/layouts.py), or refused by its key. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "close.h"
#include "lesson_text.h"
#include "reference_bytes.h"
#include "transformer_reference.h"

#include "model/weights/config.h"
#include "tensor/tape/tape.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_SIZE = 1000 };

/* A folder with model.safetensors, perhaps config.json, and a lesson that is only read
 * from memory. */
typedef struct Folder {
    char path[40], weights[80], config[80], lesson[80];
    ErrorList errors;
} Folder;

static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* `name` is one of tests/reference/layouts. */
static void make_folder(Folder *folder, const char *name, const char *config) {
    char path[100];
    Arena *arena = arena_create(1 << 20);
    *folder = (Folder){.path = "/tmp/glassformer-test-XXXXXX"};
    assert_non_null(mkdtemp(folder->path));
    snprintf(folder->weights, sizeof folder->weights, "%s/model.safetensors",
             folder->path);
    snprintf(folder->config, sizeof folder->config, "%s/config.json", folder->path);
    snprintf(folder->lesson, sizeof folder->lesson, "%s/l.yaml", folder->path);
    snprintf(path, sizeof path, "layouts/%s.safetensors", name);
    ReferenceBytes bytes = reference_bytes(arena, path);
    write_file(folder->weights, bytes.bytes, bytes.length);
    if (config)
        write_file(folder->config, config, strlen(config));
    arena_destroy(arena);
}

static void remove_folder(Folder *folder) {
    unlink(folder->weights);
    if (unlink(folder->config) != 0)
        rmdir(folder->config);
    assert_int_equal(rmdir(folder->path), 0);
}

#define LESSON(rest)                                                                     \
    "title: t\n"                                                                         \
    "model:\n"                                                                           \
    "  weights: {file: model.safetensors}\n"                                             \
    "  vocabulary: 9\n" rest
#define TARGET "  target: [4, 0, 8, 1, 7]\n"

static Lesson *read_lesson(Folder *folder, const char *text) {
    folder->errors = (ErrorList){.file = "l.yaml"};
    return lesson_parse(folder->lesson, text, strlen(text), NULL, &folder->errors);
}

/* ---- what is honoured ---- */

#define SIZES                                                                            \
    "\"hidden_size\": 8, \"num_attention_heads\": 2, \"num_hidden_layers\": 2, "         \
    "\"intermediate_size\": 12, \"num_key_value_heads\": 1"
#define BASE                                                                             \
    "{\"model_type\": \"llama\", " SIZES ", \"rope_theta\": 500000.0, "                  \
    "\"rms_norm_eps\": 1e-5"
#define QWEN2                                                                            \
    "{\"model_type\": \"qwen2\", " SIZES ", \"rope_theta\": 1000000, "                   \
    "\"rms_norm_eps\": 1e-06, \"tie_word_embeddings\": true"
#define GPT2                                                                             \
    "{\"model_type\": \"gpt2\", \"n_embd\": 8, \"n_head\": 2, \"n_layer\": 2, "          \
    "\"n_inner\": 16, \"n_positions\": 5, \"n_ctx\": 5"

static void check_outputs(const Lesson *lesson, const ModelReference *reference,
                          double tolerance) {
    for (size_t i = 0; i < reference->output_count; i++) {
        const ModelOutput *expected = &reference->outputs[i];
        size_t node = tape_find(lesson->tape, expected->name);
        if (node == TAPE_NONE)
            fail_msg("%s has no %s", reference->name, expected->name);
        assert_close(tape_node(lesson->tape, node)->output.values,
                     expected->tensor.values, tensor_cells(&expected->tensor), tolerance);
    }
}

static void check_against(const Lesson *lesson, const char *name, double tolerance) {
    Arena *arena = arena_create(64 << 20);
    ModelReference *reference = malloc(sizeof *reference);
    assert_non_null(reference);
    reference->arena = arena;
    FILE *file = model_reference_open_named("layouts.txt");
    bool found = false;
    while (!found && model_reference_next(file, reference))
        found = strcmp(reference->name, name) == 0;
    fclose(file);
    assert_true(found);
    assert_in_range(reference->output_count, 10, 400);
    check_outputs(lesson, reference, tolerance);
    free(reference);
    arena_destroy(arena);
}

static void test_what_it_says_is_computed(void **state) {
    static const struct {
        const char *file, *config, *lesson;
        double tolerance;
    } rows[] = {
        {"llama_base_F64", BASE "}", LESSON(TARGET), 1e-12},
        {"llama_base_F64", BASE ", \"rope_scaling\": null, \"head_dim\": 4}",
         LESSON(TARGET), 1e-12},
        {"llama_base_F64",
         BASE ", \"architectures\": [\"LlamaModel\", \"LLaMAForCausalLM\", "
              "\"LlamaForTokenClassification\"]}",
         LESSON(TARGET), 1e-12},
        {"llama_base_F64",
         "{\"model_type\": \"llama\", " SIZES ", \"rms_norm_eps\": 1e-5, "
         "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 5e5}}",
         LESSON(TARGET), 1e-12},
        {"llama_base_F64",
         "{\"model_type\": \"mistral\", " SIZES ", \"rms_norm_eps\": 1e-5, "
         "\"rope_theta\": 5e5, \"sliding_window\": 5}",
         LESSON(TARGET), 1e-12},
        /* what the lesson says beside it is the same, or usual, or smaller */
        {"llama_base_F64", BASE "}",
         LESSON(TARGET "  d_model: 8\n  heads: 2\n  rotary_base: 5.0e+5\n"
                       "  positions: rotary\n  epsilon: 0.00001\n  norm: rms\n"),
         1e-12},
        {"llama_base_F64", NULL,
         LESSON(TARGET "  kind: decoder\n  d_model: 8\n  heads: 2\n  layers: 2\n"
                       "  d_ff: 12\n  norm: rms\n  positions: rotary\n  kv_heads: 1\n"
                       "  activation: swiglu\n  biases: false\n  padding: false\n"
                       "  rotary_base: 500000\n"),
         1e-12},
        {"qwen2_F64", QWEN2 "}", LESSON(TARGET), 1e-12},
        {"qwen2_F64",
         QWEN2 ", \"use_sliding_window\": false, \"sliding_window\": 2, "
               "\"max_window_layers\": 1}",
         LESSON(TARGET), 1e-12},
        {"gpt2_F64", GPT2 "}", LESSON("  target: [3, 0, 7]\n"), 1e-9},
        {"bert_F64",
         "{\"model_type\": \"bert\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
         "\"num_hidden_layers\": 2, \"intermediate_size\": 16, "
         "\"max_position_embeddings\": 6}",
         "title: t\nmodel:\n  weights: {file: model.safetensors}\n  vocabulary: 7\n"
         "  source: [2, 5, 3]\n",
         1e-9},
        /* two keys for one number with equal values */
        {"llama_base_F64",
         BASE ", \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 5e5}}",
         LESSON(TARGET), 1e-12},
        {"gpt2_F64",
         GPT2 ", \"hidden_size\": 8, \"num_attention_heads\": 2, "
              "\"num_hidden_layers\": 2, \"max_position_embeddings\": 5}",
         LESSON("  target: [3, 0, 7]\n"), 1e-9},
        /* a byte order mark */
        {"llama_base_F64", "\xEF\xBB\xBF" BASE "}", LESSON(TARGET), 1e-12},
        /* keys that change nothing */
        {"gpt2_F64",
         GPT2 ", \"torch_dtype\": \"float32\", \"attn_pdrop\": 0.1, \"vocab_size\": 9, "
              "\"architectures\": [\"GPT2LMHeadModel\"], \"summary_type\": \"cls\", "
              "\"task_specific_params\": {\"a\": {\"b\": 1}}, \"use_cache\": true, "
              "\"scale_attn_weights\": true}",
         LESSON("  target: [3, 0, 7]\n"), 1e-9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, rows[i].file, rows[i].config);
        Lesson *lesson = read_lesson(&folder, rows[i].lesson);
        if (!lesson)
            fail_msg("row %zu: %s", i, folder.errors.items[0].message);
        check_against(lesson, rows[i].file, rows[i].tolerance);
        lesson_destroy(lesson);
        remove_folder(&folder);
    }
}

/* ---- what is not ---- */

typedef struct Refusal {
    const char *config;
    const char *words[2];
} Refusal;

static void check_refusal(const Folder *folder, const Lesson *lesson, size_t row,
                          const char *const words[2]) {
    for (size_t k = 0; k < 2; k++) {
        const char *message = folder->errors.items[0].message;
        if (lesson || folder->errors.count != 1 || !strstr(message, words[k]))
            fail_msg("row %zu: %zu errors, %s", row, folder->errors.count,
                     lesson ? "a lesson" : message);
    }
}

static void test_what_is_not_computed_is_refused_by_name(void **state) {
    static const Refusal rows[] = {
        {"{\n  \"model_type\": \"gemma\"\n}",
         {"config.json:2:3: 'model_type' is 'gemma', whose norms multiply by 1 + gamma",
          "gpt2, bert, llama, mistral and qwen2 are read"}},
        {"{\"model_type\": \"gemma3_text\"}", {"'gemma3_text', whose", "norms"}},
        {"{\"model_type\": \"t5\"}", {"'t5', whose scores have relative", "are read"}},
        {"{\"model_type\": \"wombat\"}", {"config.json:1:2: ", "'wombat', which is not"}},
        {"{\"rope_theta\": 10000.0}", {"it must name the type", "\"model_type\""}},
        {"{\"model_type\": 7}", {"config.json:1:2: it must name", "\"model_type\""}},
        {BASE ",\n \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}}",
         {"config.json:2:2: 'rope_scaling' is {\"type\":\"linear\"", "rotary angles"}},
        {"{\"model_type\": \"llama\", " SIZES ", \"rope_parameters\": "
         "{\"rope_type\": \"default\", \"rope_theta\": 1e4, \"factor\": 8}}",
         {"'rope_parameters'", "another key would need rotary angles"}},
        {BASE ", \"partial_rotary_factor\": 0.5}",
         {"'partial_rotary_factor' is 0.5", "heads that are only partly rotated"}},
        {BASE ", \"query_pre_attn_scalar\": 144}", {"'query_pre_attn_scalar'", "scaled"}},
        {BASE ", \"final_logit_softcapping\": 30.0}",
         {"'final_logit_softcapping' is 30.0", "capped by a tanh"}},
        {BASE ", \"attn_logit_softcapping\": 50}", {"'attn_logit_soft", "capped"}},
        {BASE ", \"use_parallel_residual\": true}",
         {"'use_parallel_residual'", "in parallel"}},
        {BASE ", \"quantization_config\": {\"bits\": 4}}",
         {"'quantization_config'", "quantized"}},
        {BASE ", \"hidden_act\": \"gelu\"}", {"'hidden_act' is \"gelu\"", "SiLU"}},
        {BASE ", \"head_dim\": 16}", {"'head_dim' is 16", "must be 4, d_model / heads"}},
        {BASE ", \"head_dim\": 4.0}", {"'head_dim' is 4.0", "a whole number above 0"}},
        {BASE ", \"sliding_window\": 3}",
         {"'sliding_window' is 3", "a window of tokens"}},
        {BASE ", \"layer_types\": [\"full_attention\", \"sliding_attention\"]}",
         {"'layer_types'", "a list of \"full_attention\""}},
        {BASE ",\n\t\"flux\": 1}", {"config.json:2:2: 'flux' is not among", "llama"}},
        /* two keys for one number with different values */
        {BASE
         ",\n\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 1e4}}",
         {"config.json:2:1: 'rope_parameters.rope_theta' is 10000.0, but 'rope_theta' is",
          "the same number"}},
        {BASE ", \"rope_scaling\": {\"type\": \"default\", \"rope_theta\": 1e4}}",
         {"'rope_scaling.rope_theta' is 10000.0", "but 'rope_theta' is 500000.0"}},
        {BASE ", \"rope_scaling\": {\"rope_type\": \"default\", \"type\": \"linear\"}}",
         {"'rope_scaling' is {", "of the type \"default\""}},
        {BASE ", \"rope_scaling\": {\"rope_type\": \"default\", \"factor\": 8}}",
         {"'rope_scaling' is {", "another key would need"}},
        {GPT2 ", \"hidden_size\": 16}",
         {"'hidden_size' is 16, but 'n_embd' is 8", "the same number"}},
        {GPT2 ", \"num_attention_heads\": 4}",
         {"'num_attention_heads' is 4, but 'n_head' is 2", "the same number"}},
        {GPT2 ", \"num_hidden_layers\": 1}",
         {"'num_hidden_layers' is 1, but 'n_layer' is 2", "the same number"}},
        {GPT2 ", \"max_position_embeddings\": 7}",
         {"'max_position_embeddings' is 7, but 'n_positions' is 5", "the same number"}},
        {"{\"model_type\": \"gpt2\", \"n_positions\": 5, \"n_ctx\": 9}",
         {"'n_ctx' is 9, but 'n_positions' is 5", "the same number"}},
        {BASE ", \"architectures\": [\"GPT2LMHeadModel\"]}",
         {"'architectures' is [\"GPT2LMHeadModel\"]", "'model_type' llama"}},
        {BASE ", \"architectures\": [\"LlamaForCausalLMEagle3\"]}",
         {"'architectures' is [\"LlamaForCausalLMEagle3\"]",
          "'model_type' llama that are read, as LlamaForCausalLM"}},
        {BASE ", \"architectures\": [\"LlamaForCausalLM\", \"LlamaForWombats\"]}",
         {"'architectures' is [", "that are read, as LlamaForCausalLM"}},
        {BASE ", \"architectures\": [\"LlamaModel LlamaForCausalLM\"]}",
         {"'architectures' is [", "that are read, as LlamaForCausalLM"}},
        {BASE ", \"architectures\": [\"\"]}",
         {"'architectures' is [", "that are read, as LlamaForCausalLM"}},
        {BASE ", \"architectures\": [\"LlamaLMHeadModel\"]}",
         {"'architectures' is [", "that are read, as LlamaForCausalLM"}},
        {BASE ", \"architectures\": [\"llamaforcausallm\"]}",
         {"'architectures' is [", "that are read, as LlamaForCausalLM"}},
        {"{\"model_type\": \"qwen2\", \"architectures\": [\"Qwen2MoeForCausalLM\"]}",
         {"'architectures' is [\"Qwen2Moe", "'model_type' qwen2"}},
        {BASE ", \"layer_types\": [\"full_attention\"]}",
         {"'layer_types' is a list of 1", "the model has 2 layers"}},
        {"{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_attention_heads\": 3}",
         {"'num_attention_heads' is 3", "must divide 'hidden_size', 8"}},
        {"{\"model_type\": \"llama\", \"hidden_size\": 8, \"num_attention_heads\": 4, "
         "\"num_key_value_heads\": 3}",
         {"'num_key_value_heads' is 3", "must divide 'num_attention_heads', 4"}},
        {BASE ", \"vocab_size\": 50}",
         {"config.json:1:", "'vocab_size' is 50, but the file has an embedding of 9"}},
        {BASE ", \"tie_word_embeddings\": true}",
         {"it has 'lm_head.weight'", "where 'tie_word_embeddings' is true"}},
        {"{\"model_type\": \"llama\", " SIZES ", \"num_key_value_heads_\": 2}",
         {"'num_key_value_heads_' is not among", "llama"}},
        {"{\"model_type\": \"qwen2\", " SIZES ", \"use_sliding_window\": 1}",
         {"'use_sliding_window' is 1", "true or false"}},
        {BASE ", \"use_mrope\": true}", {"'use_mrope' is true", "rotary angles"}},
        {BASE ", \"rope_interleaved\": true}",
         {"'rope_interleaved'", "adjacent columns"}},
        {BASE ", \"use_sliding_window\": true}", {"'use_sliding_window'", "tokens"}},
        /* keys that only resemble harmless ones */
        {BASE ", \"use_flash_attention_scale\": 7}",
         {"'use_flash_attention_scale' is not among", "honoured"}},
        {BASE ", \"pooler_scale\": 7}", {"'pooler_scale' is not among", "honoured"}},
        {BASE ", \"summary_x\": 7}", {"'summary_x' is not among", "honoured"}},
        {BASE ", \"return_dict_of\": 7}", {"'return_dict_of' is not among", "honoured"}},
        {BASE ", \"_attn_implementation_x\": 7}", {"'_attn_implementation_x'", "among"}},
        {"{\"model_type\": \"gemma3_wombat\"}", {"'gemma3_wombat', which", "not known"}},
        /* numbers that aren't finite */
        {"{\"model_type\": \"llama\",\n\"rope_theta\": 1e400}",
         {"config.json:2:15: 1e400 is not a finite number", "correct it"}},
        {"{\"model_type\": \"llama\",\n\"rope_theta\":  -Infinity}",
         {"config.json:2:16: -Infinity is not a finite number", "correct it"}},
        {"{\"model_type\": \"llama\",\n\"rope_theta\": NaN}",
         {"config.json:2:15: NaN is not a finite number", "correct it"}},
        {"{\"model_type\": \"llama\",\n\"vocab_size\": 99999999999999999999}",
         {"config.json:2:15: 99999999999999999999 is too large", "correct it"}},
        {BASE ", \"n_embd\": 8}",
         {"'n_embd' is not among the keys of llama", "honoured"}},
        {BASE ", \"tie_word_embeddings\": \"no\"}",
         {"'tie_word_embeddings' is \"no\"", "true or false"}},
        {"{\"model_type\": \"llama\", \"hidden_size\": -8}",
         {"'hidden_size' is -8", "a whole number above 0"}},
        {"{\"model_type\": \"mistral\", " SIZES ", \"sliding_window\": 3, "
         "\"rope_theta\": 5e5}",
         {"cut into 5 tokens, but config.json:1:", "'sliding_window' 3"}},
        {"{\"model_type\": \"qwen2\", " SIZES ", \"sliding_window\": 3, "
         "\"use_sliding_window\": true, \"rope_theta\": 5e5}",
         {"cut into 5 tokens, but config.json:1:", "'sliding_window' 3"}},
        {"{\"model_type\": \"bert\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
         "\"is_decoder\": true}",
         {"'is_decoder' is true", "a causal mask"}},
        {"{\"model_type\": \"bert\", \"position_embedding_type\": \"relative_key\"}",
         {"'position_embedding_type' is \"relative_key\"", "relative position biases"}},
        {"{\"model_type\": \"gpt2\", \"activation_function\": \"gelu_fast\"}",
         {"'activation_function' is \"gelu_fast\"", "gelu_new"}},
        {"{\"model_type\": \"gpt2\", \"scale_attn_by_inverse_layer_idx\": true}",
         {"'scale_attn_by_inverse_layer_idx'", "layer's number"}},
        {GPT2 ", \"vocab_size\": 9}", {"are those of LLaMA", "model_type 'gpt2'"}},
        /* damaged */
        {"", {"config.json:1:1: it can't be read as JSON", "correct it"}},
        {"[1, 2]", {"config.json:1:1: it must be an object", "model_type"}},
        {"{\n\"model_type\": \"llama\",\n\"hidden_size\" 8}",
         {"config.json:3:", "it can't be read as JSON"}},
        {BASE ", \"rope_theta\": 1e4}", {"it can't be read as JSON", "duplicate"}},
        {"{\"model_type\": \"ll\xff\"}", {"config.json:1:19: ", "not UTF-8"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, "llama_base_F64", rows[i].config);
        Lesson *lesson = read_lesson(&folder, LESSON(TARGET));
        check_refusal(&folder, lesson, i, rows[i].words);
        remove_folder(&folder);
    }
}

/* The keys of published configurations, with the sizes of the reference files. */
#define PUBLISHED                                                                        \
    "\"hidden_act\": \"silu\", \"initializer_range\": 0.02, \"use_cache\": true, "       \
    "\"torch_dtype\": \"bfloat16\", \"transformers_version\": \"4.40.1\", "              \
    "\"bos_token_id\": 1, \"vocab_size\": 9"

static void test_published_configurations_are_read(void **state) {
    static const struct {
        const char *file, *config, *lesson;
    } rows[] = {
        {"gpt2_F64", /* gpt2 */
         GPT2
         ", \"activation_function\": \"gelu_new\", \"architectures\": "
         "[\"GPT2LMHeadModel\"], \"attn_pdrop\": 0.1, \"bos_token_id\": 8, "
         "\"embd_pdrop\": 0.1, \"eos_token_id\": 8, \"initializer_range\": 0.02, "
         "\"layer_norm_epsilon\": 1e-05, \"resid_pdrop\": 0.1, "
         "\"summary_activation\": null, \"summary_first_dropout\": 0.1, "
         "\"summary_proj_to_labels\": true, \"summary_type\": \"cls_index\", "
         "\"summary_use_proj\": true, \"task_specific_params\": {\"text-generation\": "
         "{\"do_sample\": true, \"max_length\": 50}}, \"vocab_size\": 9}",
         LESSON("  target: [3, 0, 7]\n")},
        {"bert_F64", /* bert-base-uncased and bert-base-chinese */
         "{\"model_type\": \"bert\", \"hidden_size\": 8, \"num_attention_heads\": 2, "
         "\"num_hidden_layers\": 2, \"intermediate_size\": 16, "
         "\"max_position_embeddings\": 6, \"architectures\": [\"BertForMaskedLM\"], "
         "\"attention_probs_dropout_prob\": 0.1, \"gradient_checkpointing\": false, "
         "\"hidden_act\": \"gelu\", \"hidden_dropout_prob\": 0.1, \"layer_norm_eps\": "
         "1e-12, \"pad_token_id\": 0, \"position_embedding_type\": \"absolute\", "
         "\"type_vocab_size\": 2, \"use_cache\": true, \"vocab_size\": 7, "
         "\"directionality\": \"bidi\", \"pooler_fc_size\": 768, "
         "\"pooler_num_attention_heads\": 12, \"pooler_num_fc_layers\": 3, "
         "\"pooler_size_per_head\": 128, \"pooler_type\": \"first_token_transform\"}",
         "title: t\nmodel:\n  weights: {file: model.safetensors}\n  vocabulary: 7\n"
         "  source: [2, 5, 3]\n"},
        {"llama_base_F64", /* Llama 3 */
         BASE ", " PUBLISHED ", \"architectures\": [\"LlamaForCausalLM\"], "
              "\"attention_bias\": false, \"attention_dropout\": 0.0, "
              "\"eos_token_id\": [2, 3], \"max_position_embeddings\": 8192, "
              "\"pretraining_tp\": 1, \"rope_scaling\": null, "
              "\"tie_word_embeddings\": false}",
         LESSON(TARGET)},
        {"llama_base_F64", /* SmolLM2's keys */
         BASE ", " PUBLISHED ", \"architectures\": [\"LlamaForCausalLM\"], "
              "\"head_dim\": 4, \"mlp_bias\": false, \"is_llama_config\": true, "
              "\"rope_interleaved\": false, \"max_position_embeddings\": 2048, "
              "\"transformers.js_config\": {\"dtype\": \"q4\"}}",
         LESSON(TARGET)},
        {"llama_base_F64", /* Mistral 7B */
         "{\"model_type\": \"mistral\", " SIZES ", " PUBLISHED
         ", \"architectures\": [\"MistralForCausalLM\"], \"rms_norm_eps\": 1e-05, "
         "\"rope_theta\": 500000.0, \"sliding_window\": 4096, "
         "\"max_position_embeddings\": 32768, \"tie_word_embeddings\": false}",
         LESSON(TARGET)},
        {"qwen2_F64", /* Qwen2, Qwen2.5 */
         QWEN2 ", " PUBLISHED ", \"architectures\": [\"Qwen2ForCausalLM\"], "
               "\"attention_dropout\": 0.0, \"max_position_embeddings\": 131072, "
               "\"max_window_layers\": 24, \"sliding_window\": 131072, "
               "\"use_sliding_window\": false, \"use_mrope\": false}",
         LESSON(TARGET)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, rows[i].file, rows[i].config);
        Lesson *lesson = read_lesson(&folder, rows[i].lesson);
        if (!lesson)
            fail_msg("row %zu: %s", i, folder.errors.items[0].message);
        check_against(lesson, rows[i].file, 1e-9);
        lesson_destroy(lesson);
        remove_folder(&folder);
    }
}

/* Published configurations that need unsupported computations. */
static void test_other_published_configurations_are_refused(void **state) {
    static const Refusal rows[] = {
        {BASE ", \"head_dim\": 4, \"rope_scaling\": {\"factor\": 32.0, " /* Llama 3.2 */
              "\"high_freq_factor\": 4.0, \"low_freq_factor\": 1.0, "
              "\"original_max_position_embeddings\": 8192, \"rope_type\": \"llama3\"}}",
         {"'rope_scaling' is {", "rotary angles that are scaled"}},
        {"{\"model_type\": \"mistral\", " SIZES ", \"head_dim\": 128}", /* Nemo */
         {"'head_dim' is 128", "but must be 4, d_model / heads"}},
        {"{\"architectures\": [\"GemmaForCausalLM\"], \"model_type\": \"gemma\"}",
         {"'model_type' is 'gemma'", "1 + gamma"}},
        {"{\"architectures\": [\"PhiForCausalLM\"], \"model_type\": \"phi\", "
         "\"partial_rotary_factor\": 0.5}",
         {"'model_type' is 'phi'", "only partly"}},
        {"{\"architectures\": [\"Phi3ForCausalLM\"], \"model_type\": \"phi3\"}",
         {"'model_type' is 'phi3'", "one tensor"}},
        {"{\"model_type\": \"qwen3\", \"head_dim\": 128}",
         {"'model_type' is 'qwen3'", "norms of their own"}},
        {"{\"model_type\": \"gpt_neox\", \"rotary_pct\": 0.25}",
         {"'model_type' is 'gpt_neox'", "only partly"}},
        {"{\"model_type\": \"roberta\"}", {"'roberta'", "padding_idx + 1"}},
        {"{\"model_type\": \"distilbert\", \"dim\": 768}", {"'distilbert'", "names"}},
        {"{\"model_type\": \"deepseek_v3\"}", {"'deepseek_v3'", "narrower vector"}},
        {"{\"n_layer\": 2, \"n_head\": 2, \"n_embd\": 8, \"block_size\": 5, "
         "\"bias\": true, \"vocab_size\": 9}", /* nanoGPT's own arguments */
         {"it must name the type", "\"model_type\""}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, "llama_base_F64", rows[i].config);
        Lesson *lesson = read_lesson(&folder, LESSON(TARGET));
        check_refusal(&folder, lesson, i, rows[i].words);
        remove_folder(&folder);
    }
}

/* ---- tensors that aren't read ---- */

/* Adds a tensor of 4 bytes, zeros, to the folder's file. */
static void add_tensor(const Folder *folder, const char *name, const char *type,
                       size_t count) {
    uint8_t bytes[16384];
    char entry[200];
    uint64_t length;
    FILE *file = fopen(folder->weights, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    memcpy(&length, bytes, 8);
    size_t data = size - 8 - length, end = 8 + length;
    while (bytes[end - 1] != '}')
        end--;
    snprintf(entry, sizeof entry,
             ",\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu],\"data_offsets\":[%zu,%zu]}}",
             name, type, count, data, data + 4);
    length = end - 1 - 8 + strlen(entry);
    file = fopen(folder->weights, "wb");
    assert_non_null(file);
    fwrite(&length, 8, 1, file);
    fwrite(bytes + 8, 1, end - 1 - 8, file);
    fputs(entry, file);
    fwrite(bytes + size - data, 1, data, file);
    fwrite("\0\0\0\0", 1, 4, file);
    assert_int_equal(fclose(file), 0);
}

typedef struct Unread {
    const char *name, *type;
    size_t count;
} Unread;

static void test_tensors_that_are_not_read_are_told_truly(void **state) {
    static const struct {
        Unread tensors[3];
        const char *words;
    } rows[] = {
        {{{"rotary_emb.inv_freq", "U8", 4}},
         "model.safetensors: 'rotary_emb.inv_freq' isn't read, because no step of this "
         "model needs it"},
        {{{"sliding_window", "I32", 1}},
         "model.safetensors: 'sliding_window' isn't read, because it is of whole numbers "
         "and no "
         "weight "
         "of this model has that name; a model that uses it computes other numbers"},
        {{{"zeros", "U8", 4}, {"more", "I32", 1}, {"model.rotary_emb.inv_freq", "U8", 4}},
         "model.safetensors: 'model.rotary_emb.inv_freq' isn't read, because no step of "
         "this model needs it; 'more' and 1 more aren't read, because they are of whole "
         "numbers "
         "and no weights of this model have those names; a model that uses them computes "
         "other numbers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, "llama_base_F64", BASE "}");
        for (size_t k = 0; k < 3 && rows[i].tensors[k].name; k++)
            add_tensor(&folder, rows[i].tensors[k].name, rows[i].tensors[k].type,
                       rows[i].tensors[k].count);
        Lesson *lesson = read_lesson(&folder, LESSON(TARGET));
        if (!lesson)
            fail_msg("row %zu: %s", i, folder.errors.items[0].message);
        assert_non_null(lesson->ignored_tensors);
        assert_string_equal(lesson->ignored_tensors, rows[i].words);
        lesson_destroy(lesson);
        remove_folder(&folder);
    }
}

/* The file has biases of q, k and v. */
static void test_a_bias_that_the_model_lacks_is_refused(void **state) {
    Folder folder;
    make_folder(&folder, "qwen2_F64",
                "{\"model_type\": \"llama\", " SIZES ", \"mlp_bias\": true, "
                "\"tie_word_embeddings\": true}");
    Lesson *lesson = read_lesson(&folder, LESSON(TARGET));
    check_refusal(&folder, lesson, 0,
                  (const char *const[]){"self_attn.", "a llama model without it"});
    remove_folder(&folder);
}

static void test_a_lesson_that_says_otherwise_is_told_both_places(void **state) {
    static const struct {
        const char *more, *words[2];
    } rows[] = {
        {"  heads: 4\n", {"'heads: 4' is not what config.json:1:43 says", "'heads: 2'"}},
        {"  epsilon: 1e-6\n", {"'epsilon: 1e-6'", "'rms_norm_eps' is 1e-"}},
        {"  positions: rotary\n  rotary_base: 10000\n",
         {"'rotary_base: 10000' is not what config.json:1:", "'rope_theta' is 500000.0"}},
        {"  norm: pre\n", {"'norm: pre'", "'model_type' is llama, which is 'norm: rms'"}},
        {"  kind: encoder\n", {"'kind: encoder'", "'kind: decoder'"}},
        {"  activation: gelu\n", {"'activation: gelu'", "'activation: swiglu'"}},
        {"  scale_embedding: true\n", {"'scale_embedding: true'", "'model_type' is"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        char text[TEXT_SIZE];
        make_folder(&folder, "llama_base_F64",
                    "{\"model_type\": \"llama\", \"hidden_size\": 8, "
                    "\"num_attention_heads\": 2, \"hidden_act\": \"silu\", "
                    "\"rms_norm_eps\": 1e-5, \"rope_theta\": 500000.0}");
        snprintf(text, sizeof text, "%s%s", LESSON(TARGET), rows[i].more);
        Lesson *lesson = read_lesson(&folder, text);
        check_refusal(&folder, lesson, i, rows[i].words);
        assert_in_range(folder.errors.items[0].line, 6, 7);
        remove_folder(&folder);
    }
}

/* A number of config.json that depends on an absent key is compared with the value that
 * the lesson gives instead of that key's default. */
static void test_numbers_are_those_of_the_model_made(void **state) {
    static const struct {
        const char *config, *more;
        const char *words[2]; /* parts of the error message; NULL: it is read */
    } rows[] = {
        {"\"hidden_size\": 8, \"num_hidden_layers\": 2, \"head_dim\": 4",
         "  heads: 2\n",
         {NULL}},
        {"\"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"head_dim\": 4",
         "  d_model: 8\n",
         {NULL}},
        {"\"num_hidden_layers\": 2, \"head_dim\": 128",
         "  d_model: 8\n  heads: 2\n",
         {"config.json:1:", "'head_dim' is 128, but must be 4, d_model / "
                            "heads (8 / 2)"}},
        {"\"hidden_size\": 8, \"num_hidden_layers\": 2, \"head_dim\": 2",
         "  heads: 2\n",
         {"'head_dim' is 2, but must be 4", "heads that are wider or narrower"}},
        {"\"hidden_size\": 8, \"num_hidden_layers\": 2, \"head_dim\": "
         "4611686018427387906", /* times 4 is 8 modulo 2^64 */
         "  heads: 4\n",
         {"'head_dim' is 4611686018427387906", "but must be 2"}},
        {"\"num_attention_heads\": 2, \"num_hidden_layers\": 2, \"head_dim\": 2048",
         "  d_model: 8\n",
         {"'head_dim' is 2048, but must be 4", "(8 / 2)"}},
        {"\"hidden_size\": 8, \"num_attention_heads\": 2, \"layer_types\": "
         "[\"full_attention\", \"full_attention\"]",
         "  layers: 2\n",
         {NULL}},
        {"\"hidden_size\": 8, \"num_attention_heads\": 2, \"layer_types\": "
         "[\"full_attention\"]",
         "  layers: 2\n",
         {"'layer_types' is a list of 1, but the model has 2 layers", "config.json:1:"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        char config[TEXT_SIZE], text[TEXT_SIZE];
        snprintf(config, sizeof config,
                 "{\"model_type\": \"llama\", %s, \"intermediate_size\": 12, "
                 "\"num_key_value_heads\": 1, \"rms_norm_eps\": 1e-5, \"rope_theta\": "
                 "500000.0}",
                 rows[i].config);
        snprintf(text, sizeof text, "%s%s", LESSON(TARGET), rows[i].more);
        make_folder(&folder, "llama_base_F64", config);
        Lesson *lesson = read_lesson(&folder, text);
        if (rows[i].words[0])
            check_refusal(&folder, lesson, i, rows[i].words);
        else if (!lesson)
            fail_msg("row %zu: %s", i, folder.errors.items[0].message);
        else
            check_against(lesson, "llama_base_F64", 1e-12);
        if (lesson)
            lesson_destroy(lesson);
        remove_folder(&folder);
    }
}

/* Mistral's window is 4096 tokens if config.json has no other number. */
static void test_an_absent_window_limits_the_context(void **state) {
    static const char *const words[] = {
        "'context: 5000' is not what config.json:1:1 says: 'sliding_window' is absent",
        "which is 'context: 4096'"};
    Folder folder;
    make_folder(&folder, "llama_base_F64",
                "{\"model_type\": \"mistral\", " SIZES ", \"rms_norm_eps\": 1e-5, "
                "\"rope_theta\": 5e5}");
    check_refusal(&folder, read_lesson(&folder, LESSON(TARGET "  context: 5000\n")), 0,
                  words);
    Lesson *lesson = read_lesson(&folder, LESSON(TARGET "  context: 4000\n"));
    assert_non_null(lesson);
    lesson_destroy(lesson);
    remove_folder(&folder);
}

/* ---- what stands there is no file of the folder's own ---- */

static void make_subfolder(const char *path) {
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_link_out(const char *path) {
    assert_int_equal(symlink("/etc/passwd", path), 0);
}

static void make_link_to_nothing(const char *path) {
    assert_int_equal(symlink("nothing", path), 0);
}

static void make_pipe(const char *path) {
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_huge(const char *path) {
    write_file(path, "{", 1);
    assert_int_equal(truncate(path, (off_t)1 << 40), 0);
}

static void test_what_is_no_file_of_the_folder_is_told(void **state) {
    static const struct {
        void (*make)(const char *path);
        const char *words[2];
    } rows[] = {
        {make_subfolder, {"the configuration in '", "it is not a regular file"}},
        {make_pipe, {"the configuration in '", "it is not a regular file"}},
        {make_link_out, {"'config.json' leads out of the lesson's folder", "below"}},
        {make_link_to_nothing, {"the configuration in '", "can't be read"}},
        {make_huge, {"has 1099511627776 bytes", "1048576 at most"}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Folder folder;
        make_folder(&folder, "llama_base_F64", NULL);
        rows[i].make(folder.config);
        Lesson *lesson = read_lesson(&folder, LESSON(TARGET));
        check_refusal(&folder, lesson, i, rows[i].words);
        remove_folder(&folder);
    }
}

static void test_damaged_texts_break_nothing(void **state) {
    static const char whole[] =
        BASE ", \"rope_scaling\": {\"rope_type\": \"default\"}, \"layer_types\": "
             "[\"full_attention\", \"full_attention\"], \"task_specific_params\": "
             "{\"a\\u0062\\\"c\": [1, "
             "{\"e\": \"]\"}]}}";
    Random random;
    Arena *arena = arena_create(16 << 20);
    size_t read = 0;
    random_init(&random, 7);
    for (size_t i = 0; i < 3000; i++) {
        char text[sizeof whole];
        Error error = {0};
        Config config;
        memcpy(text, whole, sizeof whole);
        size_t length = i % 2 ? sizeof whole - 1 : random_below(&random, sizeof whole);
        for (size_t k = 0; i && k <= i % 3; k++)
            text[random_below(&random, sizeof whole - 1)] ^=
                (char)(1 << random_below(&random, 7));
        bool good = config_read(&config, arena, "c", text, length, &error);
        assert_true(good || (error.code != ERROR_NONE && *error.message));
        read += good;
        arena_reset(arena);
    }
    print_message("# %zu read\n", read);
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_says_is_computed),
        cmocka_unit_test(test_what_is_not_computed_is_refused_by_name),
        cmocka_unit_test(test_published_configurations_are_read),
        cmocka_unit_test(test_other_published_configurations_are_refused),
        cmocka_unit_test(test_tensors_that_are_not_read_are_told_truly),
        cmocka_unit_test(test_a_bias_that_the_model_lacks_is_refused),
        cmocka_unit_test(test_a_lesson_that_says_otherwise_is_told_both_places),
        cmocka_unit_test(test_numbers_are_those_of_the_model_made),
        cmocka_unit_test(test_an_absent_window_limits_the_context),
        cmocka_unit_test(test_what_is_no_file_of_the_folder_is_told),
        cmocka_unit_test(test_damaged_texts_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
