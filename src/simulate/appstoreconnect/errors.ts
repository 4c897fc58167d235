import type { SimulatedAnswer } from '../answer.ts'
import { json } from '../official/fault-answer.ts'

/** Apple's errors: `{errors: [{id, status, code, title, detail, source?}]}`, where `status` is text. */
export type AscError = {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly source?: { readonly parameter: string } | { readonly pointer: string }
}

export function errorAnswer({ status, code, detail, source }: AscError): SimulatedAnswer {
  const error = {
    id: '00000000-0000-4000-8000-000000000000',
    status: String(status),
    code,
    title: TITLES[code] ?? 'The request failed.',
    detail,
    ...(source === undefined ? {} : { source }),
  }
  return json(status, { errors: [error] })
}

const TITLES: Readonly<Record<string, string>> = {
  NOT_AUTHORIZED: 'The credentials are missing or invalid.',
  FORBIDDEN_ERROR: 'The request is forbidden.',
  'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED': 'An agreement is missing or expired.',
  NOT_FOUND: 'The resource does not exist.',
  RATE_LIMIT_EXCEEDED: 'The rate limit was reached.',
  UNEXPECTED_ERROR: 'An unexpected error occurred.',
}

export const NOT_AUTHORIZED: AscError = {
  status: 401,
  code: 'NOT_AUTHORIZED',
  detail: 'Send a bearer token that is signed correctly and not expired.',
}

export const FORBIDDEN: AscError = {
  status: 403,
  code: 'FORBIDDEN_ERROR',
  detail: 'This API key does not allow the request.',
}

export const AGREEMENT_MISSING: AscError = {
  status: 403,
  code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
  detail: 'The Account Holder has to accept the latest agreements.',
}

export const LIMITED: AscError = {
  status: 429,
  code: 'RATE_LIMIT_EXCEEDED',
  detail: 'Too many requests to this API. Wait, or lower the rate.',
}

export function notFound(type: string, id: string): AscError {
  return { status: 404, code: 'NOT_FOUND', detail: `No resource of type '${type}' has the id '${id}'` }
}

export function badParameter(parameter: string, code: 'ILLEGAL' | 'INVALID'): AscError {
  return {
    status: 400,
    code: `PARAMETER_ERROR.${code}`,
    detail: `The parameter '${parameter}' ${code === 'ILLEGAL' ? 'is not allowed here' : 'has an invalid value'}`,
    source: { parameter },
  }
}

/** The error of a fault with this status. */
export function errorOfStatus(status: number): SimulatedAnswer {
  switch (status) {
    case 401:
      return errorAnswer(NOT_AUTHORIZED)
    case 403:
      return errorAnswer(FORBIDDEN)
    case 404:
      return errorAnswer(notFound('apps', '0'))
    case 406:
      // The one error in plain text.
      return { status, headers: { 'content-type': 'text/plain' }, body: 'Not Acceptable' }
    case 429:
      return errorAnswer(LIMITED)
    default:
      return errorAnswer({ status, code: 'UNEXPECTED_ERROR', detail: 'Something failed on the server.' })
  }
}
