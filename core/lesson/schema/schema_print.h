/* Printed schemas: JSON Schema for editors, and the reference of the lesson format for
 * people. Both come from the rows that lessons are read by (schema.h). */
#pragma once

#include "base/strings/writer.h"
#include "lesson/schema/schema.h"

/* Writes a JSON Schema of the schema and all within it. It covers kinds, limits and
 * combinations of keys; numbers, names and expressions are only checked by the reader.
 * Source: JSON Schema, draft 7, which editors' YAML servers support. */
void schema_print_json(const Schema *schema, Writer *writer);

/* Writes Markdown: a heading, a sentence and a table for the schema and each within
 * it. */
void schema_print_reference(const Schema *schema, Writer *writer);
