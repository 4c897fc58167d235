import type { z } from 'zod'
import { type Route, TABLE_TYPES } from '../route.ts'
import { exampleOf } from './examples.ts'
import { errorsOf } from './responses.ts'
import { type Json, schemaOf } from './schemas.ts'

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  description:
    'Makes the request safe to repeat. For 24 hours, a request of the same account with the same key gets the first response, with the same id and secret, and creates no second hook. With another body it gets 422. Use a new UUID for each hook. Without the header, every request creates a hook.',
}

const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The `ETag` of an earlier response. If the data has not changed since, the response is 304.',
}

const ETAG: Json = { ETag: { description: 'Changes when the body changes.', schema: { type: 'string' } } }

/** One operation of the API. Adds schemas with a name to `components`. */
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
    responses: { ...successOf(route, components), ...errorsOf(route, components) },
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

function successOf({ query, success, etag }: Route, components: Json): Json {
  const { status, description, schema, rows } = success
  if (schema === undefined) return { [status]: { description } }
  // A download has no schema reference, and linters report components without a reference.
  const known = rows ? { ...components } : components
  const shape = schemaOf(schema, 'output', known)
  const example = withCursor(exampleOf(shape, known), query)
  const content = rows
    ? {
        [TABLE_TYPES.jsonl]: { schema: { type: 'string' }, example: `${JSON.stringify(example)}\n` },
        [TABLE_TYPES.csv]: { schema: { type: 'string' } },
      }
    : { 'application/json': { schema: shape, example } }
  return {
    [status]: { description, ...(etag && { headers: ETAG }), content },
    ...(etag && {
      304: { description: 'Not modified: `If-None-Match` has the current tag.', headers: ETAG },
    }),
  }
}

/** Cursors of the two forms that lists have. */
const CURSORS = ['1042', '1768469400000.1042']

/** An example whose `next_cursor` the same operation takes. */
function withCursor(example: unknown, query: Route['query']): unknown {
  const parameter: z.ZodType | undefined = query?.shape.cursor ?? query?.shape.after
  const cursor = CURSORS.find((each) => parameter?.safeParse(each).success)
  return cursor === undefined ? example : { ...(example as Json), next_cursor: cursor }
}

function cellOf(value: unknown): string {
  return value === null ? '' : /[",]/.test(String(value)) ? JSON.stringify(value) : String(value)
}
