import type { SimulatedAnswer } from '../answer.ts'
import { json } from '../official/fault-answer.ts'

/** Google's errors: `{error: {code, message, errors: [{message, domain, reason}], status?, details?}}`. */
export type GoogleError = {
  readonly status: number
  readonly message: string
  readonly reason: string
  readonly domain?: string
  /** The status of google.rpc, e.g. `PERMISSION_DENIED`. */
  readonly rpc?: string
  /** The reason in `details`. */
  readonly detail?: string
}

export function errorAnswer({ status, message, reason, domain, rpc, detail }: GoogleError): SimulatedAnswer {
  const details =
    detail === undefined
      ? {}
      : {
          details: [
            { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: detail, domain: 'googleapis.com' },
          ],
        }
  return json(status, {
    error: {
      code: status,
      message,
      errors: [{ message, domain: domain ?? 'global', reason }],
      ...(rpc === undefined ? {} : { status: rpc }),
      ...details,
    },
  })
}

export const INVALID_TOKEN: GoogleError = {
  status: 401,
  message: 'The request has no valid access token.',
  reason: 'authError',
  rpc: 'UNAUTHENTICATED',
}

/** The same missing permission comes in two forms. */
export function noPermission(status: 401 | 403): GoogleError {
  return status === 403
    ? { status, message: 'The caller may not do this.', reason: 'forbidden', rpc: 'PERMISSION_DENIED' }
    : {
        status,
        message: 'The user may not perform the requested operation.',
        reason: 'permissionDenied',
        domain: 'androidpublisher',
      }
}

export const API_DISABLED: GoogleError = {
  status: 403,
  message: 'The Google Play Android Developer API is not enabled in this project.',
  reason: 'accessNotConfigured',
  domain: 'usageLimits',
  rpc: 'PERMISSION_DENIED',
  detail: 'SERVICE_DISABLED',
}

export function quotaExceeded(status: 403 | 429): GoogleError {
  const message = 'The quota of queries is exceeded.'
  return status === 403
    ? { status, message, reason: 'rateLimitExceeded', domain: 'usageLimits', rpc: 'PERMISSION_DENIED' }
    : {
        status,
        message,
        reason: 'rateLimitExceeded',
        rpc: 'RESOURCE_EXHAUSTED',
        detail: 'RATE_LIMIT_EXCEEDED',
      }
}

export function noApp(packageName: string): GoogleError {
  return {
    status: 404,
    message: `Package not found: ${packageName}.`,
    reason: 'notFound',
    rpc: 'NOT_FOUND',
  }
}

export function noReview(reviewId: string): GoogleError {
  return { status: 404, message: `Review not found: ${reviewId}.`, reason: 'notFound', rpc: 'NOT_FOUND' }
}

export function badRequest(message: string): GoogleError {
  return { status: 400, message, reason: 'badRequest', rpc: 'INVALID_ARGUMENT' }
}

/** The error of a fault with this status. */
export function errorOfStatus(status: number): SimulatedAnswer {
  switch (status) {
    case 401:
      return errorAnswer(INVALID_TOKEN)
    case 403:
      return errorAnswer(noPermission(403))
    case 404:
      return errorAnswer(noApp('com.example.unknown'))
    case 429:
      return errorAnswer(quotaExceeded(429))
    default:
      // A 500 of this API was seen without a message.
      return json(status, { error: { code: status, message: null } })
  }
}
