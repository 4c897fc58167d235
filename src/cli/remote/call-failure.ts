import { ApiResponseError } from '../../client/client.ts'
import { isCertificateCode } from '../../runtime/authorities.ts'
import { excerpt } from '../table.ts'

/** The maximum length of a message from the service or a proxy. */
export const MESSAGE_CHARS_MAX = 600

/** Why a call to the service at `url` failed, and what to do. Rethrows internal errors. */
export function callFailure(error: unknown, url: string, timeoutMs: number): string {
  if (error instanceof ApiResponseError) return errorTextOf(error, url)
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `The service at ${url} did not respond within ${timeoutMs / 1000} s. Run "radar doctor" on its machine.`
  }
  // Fetch throws this without a connection.
  if (error instanceof TypeError && error.cause instanceof Error) {
    const { cause } = error
    const why = 'code' in cause ? String(cause.code) : cause.message
    if (isCertificateCode(why))
      return `The certificate of the service at ${url} cannot be verified (${why}). Set RADAR_CA_FILE to the certificate of its authority, in PEM.`
    return `The service at ${url} does not respond (${why}). Start it with "radar serve", or set RADAR_URL to its address.`
  }
  if (error instanceof SyntaxError) return notReviewRadar(url, 'its answer is not JSON')
  throw error
}

function errorTextOf({ status, message, isFromApi }: ApiResponseError, url: string): string {
  if (status === 401) {
    return `The service at ${url} rejected the token in RADAR_TOKEN. Create a token with "radar token create --account ID".`
  }
  if (!isFromApi && (status === 404 || status === 405)) return notReviewRadar(url, `HTTP ${status}`)
  return `The service rejected the request (HTTP ${status}): ${excerpt(message, MESSAGE_CHARS_MAX)}`
}

function notReviewRadar(url: string, what: string): string {
  return `The server at ${url} is not Review Radar (${what}). Set RADAR_URL to the address of the service.`
}
