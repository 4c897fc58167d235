import { failureBody } from '../failure.ts'
import type { Route } from '../route.ts'
import { type Json, schemaOf } from './schemas.ts'

const RETRY_AFTER: Json = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
  },
}

type Common = {
  readonly name: string
  readonly description: string
  readonly error: string
  readonly headers?: Json
}

/** Errors that every operation may return. */
const COMMON: Readonly<Record<number, Common>> = {
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, invalid or expired.',
    error: 'A valid API token is required: send it as "Authorization: Bearer rsk_…" or "X-API-Key: rsk_…".',
  },
  403: {
    name: 'Forbidden',
    description: 'The token lacks the scope.',
    error: 'This request requires a token with the scope hooks; this token has read.',
  },
  405: {
    name: 'MethodNotAllowed',
    description: 'The path does not allow this method.',
    error: 'PATCH is not allowed here. Allowed: GET, HEAD, OPTIONS.',
    headers: { Allow: { description: 'The methods that the path allows.', schema: { type: 'string' } } },
  },
  429: {
    name: 'TooManyRequests',
    description: 'The account has reached a rate limit.',
    error: 'An account is limited to 1200 API requests per minute. Try again in 3 s.',
    headers: RETRY_AFTER,
  },
  500: {
    name: 'InternalError',
    description: 'Internal error. The log has the details under the id in the message.',
    error: 'Internal error. The log has the details under req-1.',
  },
  503: {
    name: 'Unavailable',
    description: 'The database is unavailable.',
    error: 'The database does not respond; try again in a few seconds.',
    headers: RETRY_AFTER,
  },
}

/** The errors that all operations share, for `components.responses`. */
export function commonResponses(components: Json): Json {
  return Object.fromEntries(
    Object.values(COMMON).map(({ name, description, error, headers }) => [
      name,
      { description, ...(headers && { headers }), content: failure(error, components) },
    ]),
  )
}

export function errorsOf(route: Route, components: Json): Json {
  const own = Object.entries(route.errors).map(([status, description]) => [
    status,
    { description, content: failure(description, components) },
  ])
  const common = Object.entries(COMMON).map(([status, { name }]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ])
  return Object.fromEntries([...own, ...common])
}

function failure(error: string, components: Json): Json {
  return { 'application/json': { schema: schemaOf(failureBody, 'output', components), example: { error } } }
}
