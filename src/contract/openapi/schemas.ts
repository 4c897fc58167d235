import { z } from 'zod'

export type Json = { [key: string]: unknown }

/** Whether the schema describes a request or a response. */
export type Direction = 'input' | 'output'

/** Converts a zod schema to JSON Schema. Schemas with an id are added to `components` and referenced. */
export function schemaOf(schema: z.ZodType, io: Direction, components: Json): Json {
  const { $schema: _, $defs = {}, ...rest } = jsonSchemaOf(schema, io) as Json & { $defs?: Json }
  // Of a schema in both a request and a response, the response's form stays: it may have unknown fields.
  for (const [name, definition] of Object.entries($defs))
    if (io === 'output' || !(name in components)) components[name] = relinked(definition)
  return relinked(rest)
}

/** Converts a zod schema to one self-contained JSON Schema (draft 2020-12). */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): Json {
  return z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => plain(jsonSchema as Json, io) }) as Json
}

/** Keeps only what code generators understand and removes additions of zod. */
function plain(schema: Json, io: Direction): void {
  if (schema.properties !== undefined) {
    // Fields may be added at any time (docs/contract.md, Versions). Generators refuse unknown ones unless a response says so.
    if (io === 'output') schema.additionalProperties = true
    else delete schema.additionalProperties
  }
  delete schema.propertyNames
  // The long pattern of a date is of no use to readers.
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.type === 'integer') withoutSafeBounds(schema)
  if (schema.type === 'number' && Number.isInteger(schema.const)) schema.type = 'integer'
  // Without a format it is a 32-bit float or a decimal in some languages.
  if (schema.type === 'number') schema.format = 'double'
  withoutExclusiveBounds(schema)
  if (Array.isArray(schema.enum) && schema.anyOf !== undefined) {
    delete schema.anyOf
    schema.type = ['string', 'null']
  }
  // Code generators treat a field with a default as required, even in a request.
  if (io === 'input') forEachProperty(schema, describeDefault)
}

/** They are numbers in OpenAPI 3.1, and generators for 3.0 expect booleans. */
function withoutExclusiveBounds(schema: Json): void {
  for (const bound of ['minimum', 'maximum']) {
    const exclusive = `exclusive${bound.replace('m', 'M')}`
    if (schema[exclusive] === undefined) continue
    schema[bound] = schema[exclusive]
    delete schema[exclusive]
  }
}

function withoutSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function forEachProperty(schema: Json, change: (property: Json) => void): void {
  for (const property of Object.values((schema.properties ?? {}) as Record<string, Json>)) change(property)
}

function describeDefault(property: Json): void {
  if (!('default' in property)) return
  const value = JSON.stringify(property.default)
  delete property.default
  const description = typeof property.description === 'string' ? `${property.description} ` : ''
  property.description = `${description}Default: \`${value}\`.`
}

function relinked(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
