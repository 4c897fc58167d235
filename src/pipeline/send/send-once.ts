import type { Attempt } from '../../model/delivery.ts'
import type { Hook } from '../../model/hook.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import type { Log } from '../../runtime/log.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { attempt } from './attempt.ts'
import { createSecretOpener } from './secrets.ts'

/** Sends one signed request to the target of a hook at once, without retries: a test event. */
export function createSendOnce(
  deps: {
    readonly egress: Egress
    readonly clock: Clock
    readonly sealer: Sealer
    readonly log: Log
    readonly userAgent: string
  },
  timeoutMs: number,
  signal: AbortSignal,
): (hook: Hook, event: { readonly eventId: string; readonly body: string }) => Promise<Attempt> {
  const secretsOf = createSecretOpener(deps.sealer.open)
  return async (hook, { eventId, body }) => {
    const secrets = secretsOf({ hookId: hook.id, secrets: hook.secrets }, deps.clock.now())
    const record = await attempt(
      deps,
      { eventId, targetUrl: hook.targetUrl, body, secrets, number: 1, cloudEvents: hook.cloudEvents },
      timeoutMs,
      signal,
    )
    if (record.internalError !== null)
      deps.log.error('delivery.failed', { event_id: eventId, hook_id: hook.id, error: record.internalError })
    return record.attempt
  }
}
