#include "model/weights/safetensors.h"

#include "base/json_watch.h"
#include "base/strings/utf8.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_SIZE = 8 };

/* The file being read. Tensors and notes are arrays in the arena, as long as the header's
 * object has keys. */
typedef struct Reader {
    Arena *arena;
    const char *file; /* name for messages */
    const char *text; /* the header: `length` bytes */
    size_t length;
    const uint8_t *data; /* the numbers, where offsets count from: `data_length` bytes */
    size_t data_length;
    Error *error;
    size_t count, note_count;
    SafetensorsTensor *tensors;
    SafetensorsNote *notes;
    json_t *header;
    size_t taken; /* bytes already covered by tensors */
    bool good;
} Reader;

#define FAIL(reader, code, ...)                                                          \
    safetensors_fail((reader)->error, code, (reader)->file, __VA_ARGS__)

static bool no_memory(Reader *reader) {
    Error error;
    arena_error(reader->arena, "its header needs more memory than it may use", &error);
    return FAIL(reader, error.code, "%s", error.message);
}

/* ---- the header ---- */

static uint64_t read_length(const uint8_t *bytes) {
    uint64_t number = 0;
    for (size_t i = LENGTH_SIZE; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

/* The message for a file of another kind, recognized by its first bytes; NULL for any
 * other. */
static const char *other_kind(const uint8_t *bytes, size_t length) {
    static const struct {
        const char *begin;
        size_t size;
        const char *sentence;
    } kinds[] = {
        {"GGUF", 4,
         "it is a GGUF file, whose weights are packed for another program; load the "
         "model's .safetensors"},
        {"PK\3\4", 4,
         "it is a file of torch.save (.pt, .pth, .bin); save the state_dict() by "
         "safetensors.torch.save_file"},
        {"\x80\2", 2,
         "it is a file of torch.save (.pt, .pth, .bin); save the state_dict() by "
         "safetensors.torch.save_file"},
        {"{", 1,
         "it is JSON, perhaps the index of weights in several files; these must be put "
         "into one .safetensors"},
        {"\x89HDF", 4, "it is an HDF5 file; save the weights as .safetensors"},
        {"version https://git-lfs", 23,
         "it is only Git LFS's pointer to the weights; download them with 'git lfs "
         "pull'"},
        {"<", 1, "it is a web page; load the file itself"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (length >= kinds[i].size && memcmp(bytes, kinds[i].begin, kinds[i].size) == 0)
            return kinds[i].sentence;
    }
    return NULL;
}

/* Finds the header, and the data behind it. */
static bool find_header(Reader *reader, const uint8_t *bytes, size_t length) {
    if (length < LENGTH_SIZE)
        return FAIL(reader, ERROR_SYNTAX,
                    "it has only %zu bytes; a safetensors file begins with 8 that give "
                    "the length of its header",
                    length);
    uint64_t header_length = read_length(bytes);
    const char *other = other_kind(bytes, length);
    if (other && header_length > length - LENGTH_SIZE)
        return FAIL(reader, ERROR_SYNTAX, "%s", other);
    if (header_length > SAFETENSORS_MAX_HEADER)
        return FAIL(reader, ERROR_LIMIT,
                    "its header would be longer than the %d bytes that are read; is it "
                    "another kind of file?",
                    SAFETENSORS_MAX_HEADER);
    if (header_length > length - LENGTH_SIZE)
        return FAIL(reader, ERROR_SYNTAX,
                    "its header is said to be longer than the %zu bytes that follow; is "
                    "the file cut short, or another kind of file?",
                    length - LENGTH_SIZE);
    reader->text = (const char *)bytes + LENGTH_SIZE;
    reader->length = (size_t)header_length;
    reader->data = bytes + LENGTH_SIZE + reader->length;
    reader->data_length = length - LENGTH_SIZE - reader->length;
    size_t valid = utf8_check(reader->text, reader->length);
    return valid == reader->length ||
           FAIL(reader, ERROR_ENCODING,
                "its header is not UTF-8 at byte %zu; save the file again", valid);
}

/* Parses the header as JSON; owned by the caller. NULL if it is no JSON, or a key is
 * repeated. */
static json_t *parse_header(Reader *reader) {
    json_error_t problem;
    char words[UTF8_SHORT_SIZE];
    json_t *header = json_parse_within(reader->arena, reader->text, reader->length,
                                       &reader->taken, &problem);
    if (header)
        return header;
    if (json_refused())
        no_memory(reader);
    else if (json_error_code(&problem) == json_error_duplicate_key)
        FAIL(reader, ERROR_NAME, "a name comes twice at byte %d of its header (%s)",
             problem.position, utf8_shorten(words, problem.text, strlen(problem.text)));
    else
        FAIL(reader, ERROR_SYNTAX,
             "its header can't be read at byte %d (%s); save the file again",
             problem.position,
             utf8_shorten(words, problem.text, error_shown_length(problem.text)));
    return NULL;
}

/* ---- tensors and notes ---- */

static bool wrong_form(Reader *reader, const char *name) {
    char quoted[UTF8_SHORT_SIZE];
    return FAIL(reader, ERROR_SYNTAX,
                "'%s' must have just dtype, a text, and shape and data_offsets, lists of "
                "whole numbers",
                utf8_shorten(quoted, name, strlen(name)));
}

static bool read_type(Reader *reader, SafetensorsTensor *tensor, const char *word) {
    char name[UTF8_SHORT_SIZE], type[UTF8_SHORT_SIZE];
    for (size_t i = 0; i < SAFETENSORS_TYPE_COUNT; i++) {
        if (strcmp(safetensors_type_name((SafetensorsType)i), word) == 0) {
            tensor->type = (SafetensorsType)i;
            return true;
        }
    }
    return FAIL(reader, ERROR_VALUE,
                "'%s' has the type '%s', which can't be read; it must be F64, F32, F16 "
                "or BF16",
                utf8_shorten(name, tensor->name, strlen(tensor->name)),
                utf8_shorten(type, word, strlen(word)));
}

/* Reads a list of non-negative whole numbers, as many as there is room for. */
static bool read_numbers(const json_t *list, size_t *numbers) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *number = json_array_get(list, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0)
            return false;
        numbers[i] = (size_t)json_integer_value(number);
    }
    return json_is_array(list);
}

/* Checks a tensor's offsets against its axes and the file, and sets its bytes. */
static bool locate_tensor(Reader *reader, SafetensorsTensor *tensor,
                          const size_t offsets[2]) {
    char name[UTF8_SHORT_SIZE];
    size_t size = safetensors_type_size(tensor->type), bytes;
    bool fits = true;
    utf8_shorten(name, tensor->name, strlen(tensor->name));
    tensor->cells = 1;
    for (size_t i = 0; i < tensor->axis_count; i++)
        fits &= !__builtin_mul_overflow(tensor->cells, tensor->axes[i], &tensor->cells);
    if (!fits || __builtin_mul_overflow(tensor->cells, size, &bytes))
        return FAIL(reader, ERROR_LIMIT, "'%s' has more numbers than any file can hold",
                    name);
    if (offsets[0] > offsets[1] || offsets[1] > reader->data_length)
        return FAIL(reader, ERROR_SHAPE,
                    "the numbers of '%s' lie at bytes %zu to %zu, but the file has %zu "
                    "bytes of numbers; is it cut short?",
                    name, offsets[0], offsets[1], reader->data_length);
    if (offsets[1] - offsets[0] != bytes)
        return FAIL(reader, ERROR_SHAPE,
                    "'%s' has %zu numbers of %zu bytes by its axes, but bytes %zu to %zu "
                    "are %zu",
                    name, tensor->cells, size, offsets[0], offsets[1],
                    offsets[1] - offsets[0]);
    tensor->bytes = reader->data + offsets[0];
    return true;
}

static bool read_tensor(Reader *reader, const char *key, const json_t *item) {
    SafetensorsTensor tensor = {.name = arena_copy(reader->arena, key, strlen(key))};
    const json_t *type = json_object_get(item, "dtype"),
                 *axes = json_object_get(item, "shape"),
                 *offsets = json_object_get(item, "data_offsets");
    size_t sorted[2] = {0};
    if (json_object_size(item) != 3 || !json_is_string(type) ||
        json_array_size(offsets) != 2 || !read_numbers(offsets, sorted))
        return wrong_form(reader, key);
    tensor.axis_count = json_array_size(axes);
    if (tensor.axis_count > SAFETENSORS_MAX_AXES)
        return FAIL(reader, ERROR_LIMIT, "'%s' has more than %d axes", tensor.name,
                    SAFETENSORS_MAX_AXES);
    if (!read_numbers(axes, tensor.axes))
        return wrong_form(reader, key);
    if (!read_type(reader, &tensor, json_string_value(type)) ||
        !locate_tensor(reader, &tensor, sorted))
        return false;
    reader->tensors[reader->count++] = tensor;
    return true;
}

static bool read_notes(Reader *reader, json_t *item) {
    const char *key;
    json_t *text;
    reader->notes =
        arena_alloc(reader->arena, json_object_size(item), sizeof *reader->notes);
    if (!json_is_object(item))
        return FAIL(reader, ERROR_SYNTAX, "its __metadata__ must be keys with texts");
    json_object_foreach(item, key, text) {
        if (!json_is_string(text))
            return FAIL(reader, ERROR_SYNTAX, "its __metadata__ must be keys with texts");
        SafetensorsNote note = {
            arena_copy(reader->arena, key, strlen(key)),
            arena_copy(reader->arena, json_string_value(text), json_string_length(text))};
        reader->notes[reader->note_count++] = note;
    }
    return true;
}

static bool read_header(Reader *reader) {
    const char *key;
    json_t *item, *header = reader->header;
    if (!json_is_object(header))
        return FAIL(reader, ERROR_SYNTAX, "its header must be an object of JSON");
    reader->tensors =
        arena_alloc(reader->arena, json_object_size(header), sizeof *reader->tensors);
    json_object_foreach(header, key, item) {
        if (!(strcmp(key, "__metadata__") == 0 ? read_notes(reader, item)
                                               : read_tensor(reader, key, item)))
            return false;
    }
    return true;
}

/* ---- the whole file ---- */

static int compare_offsets(const void *left, const void *right) {
    const SafetensorsTensor *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return (a->cells > b->cells) - (a->cells < b->cells);
}

static int compare_names(const void *left, const void *right) {
    const SafetensorsTensor *a = left, *b = right;
    return strcmp(a->name, b->name);
}

static int compare_keys(const void *left, const void *right) {
    const SafetensorsNote *a = left, *b = right;
    return strcmp(a->key, b->key);
}

/* qsort for arrays that may be empty and NULL. */
static void sort(void *items, size_t count, size_t size,
                 int (*compare)(const void *, const void *)) {
    if (count)
        qsort(items, count, size, compare);
}

/* Reports whether the numbers are contiguous, from the first byte to the last. */
static bool check_contiguous(Reader *reader) {
    char name[UTF8_SHORT_SIZE];
    const uint8_t *end = reader->data;
    sort(reader->tensors, reader->count, sizeof *reader->tensors, compare_offsets);
    for (size_t i = 0; i < reader->count; i++) {
        const SafetensorsTensor *tensor = &reader->tensors[i];
        if (tensor->bytes != end)
            return FAIL(reader, ERROR_SHAPE,
                        "the numbers of '%s' begin at byte %zu, but those before them "
                        "end at %zu; they must follow without overlap or gap",
                        utf8_shorten(name, tensor->name, strlen(tensor->name)),
                        (size_t)(tensor->bytes - reader->data),
                        (size_t)(end - reader->data));
        end += tensor->cells * safetensors_type_size(tensor->type);
    }
    size_t used = (size_t)(end - reader->data);
    return used == reader->data_length ||
           FAIL(reader, ERROR_SHAPE,
                "it has %zu bytes behind its last tensor; there must be none",
                reader->data_length - used);
}

static void read_guarded(void *context) {
    Reader *reader = context;
    reader->good = read_header(reader) && check_contiguous(reader);
}

bool safetensors_read(Safetensors *read, Arena *arena, const char *file,
                      const uint8_t *bytes, size_t length, Error *error) {
    Reader reader = {.arena = arena, .file = file, .error = error};
    if (!find_header(&reader, bytes, length))
        return false;
    reader.header = parse_header(&reader);
    if (reader.header && !arena_guard(arena, read_guarded, &reader))
        no_memory(&reader);
    if (reader.header)
        json_release(arena, reader.header, reader.taken);
    if (!reader.good)
        return false;
    sort(reader.tensors, reader.count, sizeof *reader.tensors, compare_names);
    sort(reader.notes, reader.note_count, sizeof *reader.notes, compare_keys);
    *read = (Safetensors){reader.count, reader.tensors, reader.note_count, reader.notes};
    return true;
}

bool safetensors_same_header(const uint8_t *own, const uint8_t *other,
                             size_t other_length) {
    size_t length = LENGTH_SIZE + (size_t)read_length(own);
    return other_length >= length && memcmp(own, other, length) == 0;
}

const SafetensorsTensor *safetensors_tensor(const Safetensors *read, const char *name) {
    SafetensorsTensor wanted = {.name = name};
    return read->count ? bsearch(&wanted, read->tensors, read->count, sizeof wanted,
                                 compare_names)
                       : NULL;
}

const char *safetensors_note(const Safetensors *read, const char *key) {
    SafetensorsNote wanted = {.key = key};
    const SafetensorsNote *note =
        read->note_count
            ? bsearch(&wanted, read->notes, read->note_count, sizeof wanted, compare_keys)
            : NULL;
    return note ? note->text : NULL;
}
