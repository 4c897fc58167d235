import { ApiResponseError } from '../../client/client.ts'
import { excerpt } from '../table.ts'

/** The length of a message from the service or a proxy. */
export const MESSAGE_CHARS_MAX = 300

/** Why a call to the service at `url` failed, in sentences that say what to do. Rethrows internal errors. */
export function callFailure(error: unknown, url: string, timeoutMs: number): string {
  if (error instanceof ApiResponseError) return refusalOf(error, url)
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `The service at ${url} did not answer within ${timeoutMs / 1000} s; "radar doctor" on its machine says more.`
  }
  // What fetch throws when there is no connection.
  if (error instanceof TypeError && error.cause instanceof Error) {
    const { cause } = error
    const why = 'code' in cause ? String(cause.code) : cause.message
    return `No service answers at ${url} (${why}). Start it with "radar serve", or set RADAR_URL to where it is.`
  }
  if (error instanceof SyntaxError) return notOurs(url, 'no JSON')
  throw error
}

function refusalOf({ status, message }: ApiResponseError, url: string): string {
  if (status === 401) {
    return `The service at ${url} does not know the token in RADAR_TOKEN; "radar token create --account ID" creates one.`
  }
  if (status === 404 || status === 405) return notOurs(url, `HTTP ${status}`)
  return `The service refused the request (HTTP ${status}): ${excerpt(message, MESSAGE_CHARS_MAX)}`
}

function notOurs(url: string, what: string): string {
  return `What answers at ${url} is no Review Radar (${what}); set RADAR_URL to where the service is.`
}
