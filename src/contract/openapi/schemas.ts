import { z } from 'zod'

export type Json = { [key: string]: unknown }

/** What a caller sends, or what it gets. */
export type Direction = 'input' | 'output'

/** A zod schema as JSON Schema; those with an id go to `components` and are referred to. */
export function schemaOf(schema: z.ZodType, io: Direction, components: Json): Json {
  const { $schema: _, $defs = {}, ...rest } = jsonSchemaOf(schema, io) as Json & { $defs?: Json }
  for (const [name, definition] of Object.entries($defs)) components[name] = relinked(definition)
  return relinked(rest)
}

/** As one self-contained JSON Schema (draft 2020-12). */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): Json {
  return z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => plain(jsonSchema as Json, io) }) as Json
}

/** What generators of clients understand, without what only zod says. */
function plain(schema: Json, io: Direction): void {
  // Fields may be added any day (docs/contract.md, Versions); a record has no other description than this.
  if (schema.properties !== undefined) delete schema.additionalProperties
  delete schema.propertyNames
  // The pattern of a date is of no use to a reader.
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.type === 'integer') withoutSafeBounds(schema)
  if (schema.type === 'number' && Number.isInteger(schema.const)) schema.type = 'integer'
  if (Array.isArray(schema.enum) && schema.anyOf !== undefined) {
    delete schema.anyOf
    schema.type = ['string', 'null']
  }
  // Generators make a field with a default required, also in a request.
  if (io === 'input') forEachProperty(schema, sayDefault)
}

function withoutSafeBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function forEachProperty(schema: Json, change: (property: Json) => void): void {
  for (const property of Object.values((schema.properties ?? {}) as Record<string, Json>)) change(property)
}

function sayDefault(property: Json): void {
  if (!('default' in property)) return
  const value = JSON.stringify(property.default)
  delete property.default
  const said = typeof property.description === 'string' ? `${property.description} ` : ''
  property.description = `${said}Default: \`${value}\`.`
}

function relinked(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
