import type { AttemptRequest, AttemptView, DeliveryAttempt } from '../../contract/attempt.ts'
import type { Attempt } from '../../model/delivery.ts'
import type { TestSent } from '../../operations/hooks/test-event.ts'
import { type Caller, isMember } from '../route.ts'

export function presentTest({ eventId, body, attempt }: TestSent, caller: Caller): AttemptView {
  return { event_id: eventId, ...presentRequest(attempt, caller), request_body: body }
}

export function presentAttempt(attempt: Attempt, caller: Caller): DeliveryAttempt {
  return { number: attempt.number, ...presentRequest(attempt, caller) }
}

/** Only operators see the connected address, so that other callers cannot map the network. */
function presentRequest(attempt: Attempt, caller: Caller): AttemptRequest {
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
    remote_address: isMember(caller) && caller.operator ? attempt.remoteAddress : null,
    timings_ms: {
      dns: timings.dnsMs,
      connect: timings.connectMs,
      tls: timings.tlsMs,
      first_byte: timings.firstByteMs,
      total: timings.totalMs,
    },
  }
}
