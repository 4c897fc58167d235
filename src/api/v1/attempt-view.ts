import type { AttemptView } from '../../contract/attempt.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { TestSent } from '../../operations/hooks/test-event.ts'

export function presentAttempt({ eventId, body, attempt }: TestSent): AttemptView {
  return { event_id: eventId, ...presentRequest(attempt), request_body: body }
}

/** Leaves out the connected address, so that callers cannot map the operator's network. */
export function presentRequest(attempt: Attempt): Omit<AttemptView, 'event_id' | 'request_body'> {
  const { timings } = attempt
  return {
    accepted: attempt.reason === null,
    reason: attempt.reason,
    detail: attempt.detail,
    started_at: attempt.startedAt.toISOString(),
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    message: attempt.message ?? null,
    http_status: attempt.httpStatus,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_truncated: attempt.responseTruncated,
    timings_ms: {
      dns: timings.dnsMs,
      connect: timings.connectMs,
      tls: timings.tlsMs,
      first_byte: timings.firstByteMs,
      total: timings.totalMs,
    },
  }
}
