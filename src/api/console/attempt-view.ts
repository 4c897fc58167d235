import type { AttemptView } from '../../contract/console/deliveries.ts'
import type { Attempt } from '../../model/delivery.ts'

/** Only operators see the connected address, so that other users cannot map the network. */
export function presentAttempt(attempt: Attempt, caller: { readonly operator: boolean }): AttemptView {
  const { timings } = attempt
  return {
    number: attempt.number,
    startedAt: attempt.startedAt.toISOString(),
    dnsMs: timings.dnsMs,
    connectMs: timings.connectMs,
    tlsMs: timings.tlsMs,
    firstByteMs: timings.firstByteMs,
    totalMs: timings.totalMs,
    url: attempt.url,
    requestHeaders: attempt.requestHeaders,
    message: attempt.message ?? null,
    httpStatus: attempt.httpStatus,
    reason: attempt.reason,
    detail: attempt.detail,
    remoteAddress: caller.operator ? attempt.remoteAddress : null,
    responseHeaders: attempt.responseHeaders,
    responseBody: attempt.responseBody,
    responseTruncated: attempt.responseTruncated,
  }
}
