import type { z } from 'zod'
import { type Route, TABLE_TYPES } from '../route.ts'
import { exampleOf } from './examples.ts'
import { refusalsOf } from './responses.ts'
import { type Json, schemaOf } from './schemas.ts'

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  description:
    'Makes the request safe to repeat: for 24 hours the same key of the same account answers as the first time, with the same id and secret, and makes no second hook. With another body it answers 422. Use a new UUID for each hook; without it every request makes a hook.',
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The `ETag` of an answer: when nothing has changed since, the answer is 304.',
}

const ETAG: Json = { ETag: { description: 'Changes with the body.', schema: { type: 'string' } } }

/** One operation of the API. Schemas with a name go to `components`. */
export function operationOf(operation: string, route: Route, components: Json): Json {
  const parameters = parametersOf(route, components)
  const scopes = route.scopes.map((scope) => `\`${scope}\``).join(' or ')
  return {
    operationId: operation,
    summary: route.summary,
    description: `${route.description}\n\nScope: ${scopes === '' ? 'any' : scopes}.`,
    tags: [route.tag],
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(route, components),
    responses: { ...successOf(route, components), ...refusalsOf(route, components) },
  }
}

function parametersOf(route: Route, components: Json): Json[] {
  const inPath = Object.entries(route.params?.shape ?? {}).map(([name, schema]) => ({
    ...parameterOf(name, schema as z.ZodType, components),
    in: 'path',
    required: true,
  }))
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => ({
    ...parameterOf(name, schema as z.ZodType, components),
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
  }))
  return [
    ...inPath,
    ...inQuery,
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(route.etag ? [IF_NONE_MATCH] : []),
  ]
}

function parameterOf(name: string, schema: z.ZodType, components: Json): Json {
  const { description, ...rest } = schemaOf(schema, 'input', components)
  return { name, schema: rest, ...(description !== undefined && { description }) }
}

function requestBodyOf({ body, rows }: Route, components: Json): Json {
  if (rows !== undefined) {
    const row = exampleOf(schemaOf(rows.schema, 'input', {}), components) as Json
    const csv = [Object.keys(row), Object.values(row)].map((cells) => cells.map(cellOf).join(',')).join('\n')
    const text = (example: string) => ({ schema: { type: 'string' }, example })
    return {
      requestBody: {
        required: true,
        content: { [TABLE_TYPES.jsonl]: text(JSON.stringify(row)), [TABLE_TYPES.csv]: text(csv) },
      },
    }
  }
  if (body === undefined) return {}
  const schema = schemaOf(body, 'input', components)
  const example = exampleOf(schema, components)
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } }
}

function successOf({ success, etag }: Route, components: Json): Json {
  const { status, description, schema, rows } = success
  if (schema === undefined) return { [status]: { description } }
  // A download references no schema, and linters report components without a reference.
  const known = rows ? { ...components } : components
  const shape = schemaOf(schema, 'output', known)
  const example = exampleOf(shape, known)
  const content = rows
    ? {
        [TABLE_TYPES.jsonl]: { schema: { type: 'string' }, example: `${JSON.stringify(example)}\n` },
        [TABLE_TYPES.csv]: { schema: { type: 'string' } },
      }
    : { 'application/json': { schema: shape, example } }
  return {
    [status]: { description, ...(etag && { headers: ETAG }), content },
    ...(etag && { 304: { description: 'Nothing has changed: `If-None-Match` has the tag.', headers: ETAG } }),
  }
}

function cellOf(value: unknown): string {
  return value === null ? '' : /[",]/.test(String(value)) ? JSON.stringify(value) : String(value)
}
