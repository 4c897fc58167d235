import type { Attempt } from '../model/delivery.ts'
import type { FailureReason } from '../model/vocabulary.ts'
import { dateOf, flagOf, msOf, parsed } from './values.ts'

/** Rows of attempts, the same on both engines. */

/** In the order of `attemptValues`. */
export const ATTEMPT_COLUMNS = [
  'number',
  'started_at',
  'dns_ms',
  'connect_ms',
  'tls_ms',
  'first_byte_ms',
  'total_ms',
  'url',
  'request_headers',
  'http_status',
  'reason',
  'detail',
  'remote_address',
  'response_headers',
  'response_body',
  'response_truncated',
  'replay_id',
] as const

export function attemptValues(attempt: Attempt): (string | number | null)[] {
  return [
    attempt.number,
    msOf(attempt.startedAt),
    attempt.timings.dnsMs,
    attempt.timings.connectMs,
    attempt.timings.tlsMs,
    attempt.timings.firstByteMs,
    attempt.timings.totalMs,
    attempt.url,
    JSON.stringify(attempt.requestHeaders),
    attempt.httpStatus,
    attempt.reason,
    attempt.detail,
    attempt.remoteAddress,
    JSON.stringify(attempt.responseHeaders),
    attempt.responseBody,
    flagOf(attempt.responseTruncated),
    attempt.replayId,
  ]
}

export type AttemptRow = {
  number: number
  started_at: number
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  total_ms: number
  url: string
  request_headers: string
  http_status: number | null
  reason: FailureReason | null
  detail: string | null
  remote_address: string | null
  response_headers: string
  response_body: string
  response_truncated: number
  replay_id: string | null
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    number: row.number,
    startedAt: dateOf(row.started_at),
    timings: {
      dnsMs: row.dns_ms,
      connectMs: row.connect_ms,
      tlsMs: row.tls_ms,
      firstByteMs: row.first_byte_ms,
      totalMs: row.total_ms,
    },
    url: row.url,
    requestHeaders: parsed(row.request_headers),
    httpStatus: row.http_status,
    reason: row.reason,
    detail: row.detail,
    remoteAddress: row.remote_address,
    responseHeaders: parsed(row.response_headers),
    responseBody: row.response_body,
    responseTruncated: row.response_truncated === 1,
    replayId: row.replay_id,
  }
}
