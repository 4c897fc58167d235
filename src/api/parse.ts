import type { z } from 'zod'
import { ApiError, type FieldProblems } from './errors.ts'

/**
 * The JSON body of a request, parsed by its schema. Throws 415 for another content type and 400 for a body that is not
 * UTF-8, not JSON or does not match the schema; then the message has one sentence per problem.
 */
export function parseBody<S extends z.ZodType>(
  schema: S,
  contentType: string | undefined,
  bytes: Uint8Array,
): z.infer<S> {
  if (bytes.length === 0) throw new ApiError('invalid', 'A JSON object is required as the body.')
  if (!isJson(contentType ?? '')) {
    throw new ApiError('media_type', 'The body must be JSON, sent with Content-Type: application/json.')
  }
  const body = parseJson(bytes)
  refuseLong(body)
  return checked(schema, body)
}

/** The longest list that a route accepts has 1,000 ids of hooks. */
const ITEMS_MAX = 1_000

/** Throws 400 for a list or an object with too many items: a schema would check each before it counts them, which took 80 ms for 32,000. */
function refuseLong(body: unknown): void {
  const open = [{ path: '', value: body }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next
    if (typeof value !== 'object' || value === null) continue
    const items = Object.entries(value)
    if (items.length > ITEMS_MAX)
      throw new ApiError(
        'invalid',
        `${path || 'The body'} has ${items.length} items: at most ${ITEMS_MAX} are allowed.`,
      )
    for (const [name, inner] of items) {
      // Names are the caller's text, and may be as long as the body.
      const shown = Array.isArray(value) ? path : [path, name.slice(0, 40)].filter(Boolean).join('.')
      if (typeof inner === 'object') open.push({ path: shown.slice(0, 200), value: inner })
    }
  }
}

/** Throws 400 with one sentence per problem. Unknown fields are ignored. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.infer<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const sentences = new Set(result.error.issues.map(sentenceOf))
  throw new ApiError('invalid', [...sentences].join(' '), {}, problemsOf(result.error.issues))
}

/** The messages of a schema about a field begin with it, such as "name: is required" or "target_settings.url must be …". */
const FIELD_AND_PROBLEM = /^([a-z][\w.]*):? (.+)$/s

/** The message. About a field of an object in a list, it begins with the object's place: `reviews.3.status must be …`, from 0. */
function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const field = path.findIndex((key, at) => typeof key === 'string' && typeof path[at - 1] === 'number')
  const isNamed = field > 0 && message.startsWith(String(path[field]))
  return isNamed ? [...path.slice(0, field), message].join('.') : message
}

/** The first problem of each field. */
function problemsOf(issues: readonly z.core.$ZodIssue[]): FieldProblems {
  const problems: Record<string, string> = {}
  for (const issue of issues) {
    const [, field, problem] = FIELD_AND_PROBLEM.exec(sentenceOf(issue)) ?? []
    if (field !== undefined && problem !== undefined) problems[field] ??= problem
  }
  return problems
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'valid JSON' : 'UTF-8'
    throw new ApiError('invalid', `The body is not ${problem}.`)
  }
}

/** RFC 8259: JSON is UTF-8, so a charset parameter may only be UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return type === 'application/json' && (charset === undefined || /^charset="?utf-?8"?$/.test(charset))
}
