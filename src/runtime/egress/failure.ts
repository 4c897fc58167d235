import type { EgressFailure } from './egress.ts'
import { errors } from './undici.ts'

/** A failure with its stable reason and a sentence for the operator. */
export type Failure = { readonly reason: EgressFailure; readonly detail: string }

/** A failed connection, as an error that undici passes to the waiting request. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError'
  readonly reason: EgressFailure

  constructor(reason: EgressFailure, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The failure of a connection attempt; `securing` when TCP was connected and TLS failed. */
export function connectFailure(error: unknown, securing: boolean): ConnectError {
  const code = codeOf(error)
  if (securing) return new ConnectError('tls', `The TLS handshake failed: ${tlsText(error, code)}.`, error)
  if (code === 'ECONNREFUSED')
    return new ConnectError('connect_refused', 'The connection was refused.', error)
  if (code === 'ECONNRESET')
    return new ConnectError('reset', 'The target reset the connection at once.', error)
  if (code === 'ETIMEDOUT')
    return new ConnectError('timeout_connect', 'The target did not accept the connection.', error)
  return new ConnectError('connect_failed', `The connection could not be established (${code}).`, error)
}

export function dnsFailure(hostname: string, error: unknown): ConnectError {
  const code = codeOf(error)
  const text =
    code === 'ENOTFOUND'
      ? `There is no address for the name ${hostname}.`
      : code === 'EAI_AGAIN'
        ? `The name servers did not answer for ${hostname}. This may be temporary.`
        : `The name ${hostname} could not be resolved (${code}).`
  return new ConnectError('dns', text, error)
}

/** The failure for an error that undici reported for a request. Unknown errors count as a broken connection. */
export function requestFailure(error: unknown): Failure {
  if (error instanceof ConnectError) return { reason: error.reason, detail: error.message }
  const code = codeOf(error)
  const text = textOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { reason: 'headers_too_large', detail: 'The response headers were larger than 16 KiB.' }
  }
  if (code === 'UND_ERR_INVALID_ARG')
    return { reason: 'invalid_request', detail: `The request is not valid: ${text}.` }
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return stopped
  // undici reports an unexpected status 100 or 101 as a socket error with one of these texts.
  if (isParserError(error) || text === 'bad response' || text === 'bad upgrade') {
    return { reason: 'invalid_response', detail: `The response is not valid HTTP: ${text}.` }
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return { reason: 'invalid_response', detail: 'The length of the body differs from its Content-Length.' }
  }
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code)) {
    return { reason: 'tls', detail: `The TLS connection failed: ${tlsText(error, code)}.` }
  }
  return { reason: 'reset', detail: `The connection was closed before the response was complete (${code}).` }
}

/** Whether the other side closed the connection, as opposed to sending an invalid answer. */
export function isDropped(error: unknown): boolean {
  const code = codeOf(error)
  if (code === 'UND_ERR_SOCKET') return !/^bad /.test(textOf(error))
  return code === 'ECONNRESET' || code === 'EPIPE'
}

const stopped: Failure = { reason: 'interrupted', detail: 'The service was stopping.' }

/** Checks the class, because undici omits the code of some parser errors. */
function isParserError(error: unknown): boolean {
  return error instanceof errors.HTTPParserError
}

function codeOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code
  }
  return error instanceof Error ? error.name : 'unknown'
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}

/** OpenSSL's `reason` or Node's code, because OpenSSL's messages contain source lines and hashes. */
function tlsText(error: unknown, code: string): string {
  if (typeof error === 'object' && error !== null && 'reason' in error && typeof error.reason === 'string') {
    return `${error.reason} (${code})`
  }
  return code === 'ECONNRESET'
    ? 'the other side closed the connection'
    : `${textOf(error).split('\n')[0]} (${code})`
}
