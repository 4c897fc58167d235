import type { HookTestDeps } from '../api/routes/hook-test.ts'
import { attempt } from '../pipeline/send/attempt.ts'
import { createSecretOpener } from '../pipeline/send/secrets.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import type { Sealer } from '../runtime/seal.ts'

/** One signed request to a hook's target, outside of any schedule: what the test operation sends. */
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
): HookTestDeps['sendOnce'] {
  const secretsOf = createSecretOpener(deps.sealer.open)
  return async (hook, { eventId, body }) => {
    const secrets = secretsOf({ hookId: hook.id, secrets: hook.secrets }, deps.clock.now())
    const record = await attempt(
      deps,
      { eventId, targetUrl: hook.targetUrl, body, secrets, number: 1 },
      timeoutMs,
      signal,
    )
    if (record.mistake !== null)
      deps.log.error('delivery.failed', { event_id: eventId, hook_id: hook.id, error: record.mistake })
    return record.attempt
  }
}
