import type { Attempt } from '../../model/delivery.ts'
import type { Hook } from '../../model/hook.ts'
import { optionsOf } from '../../model/hook-options.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Egress } from '../../runtime/egress/egress.ts'
import type { Log } from '../../runtime/log.ts'
import type { Sealer } from '../../runtime/seal.ts'
import { type AttemptRequest, attempt } from './attempt.ts'
import { attemptMessage, type MessageParts } from './message/attempt-message.ts'
import { createSecretOpener } from './secrets.ts'

/** Sends a test event to a hook at once, without retries: one signed request or one message. */
export function createSendOnce(
  deps: {
    readonly egress: Egress
    readonly clock: Clock
    readonly sealer: Sealer
    readonly log: Log
    readonly userAgent: string
    readonly messages: MessageParts
  },
  timeoutMs: number,
  signal: AbortSignal,
): (hook: Hook, event: { readonly eventId: string; readonly body: string }) => Promise<Attempt> {
  const secretsOf = createSecretOpener(deps.sealer.open)
  const attemptOf = (hook: Hook, request: Omit<AttemptRequest, 'secrets'>) => {
    const { id: hookId, accountId, targetType, targetSettings } = hook
    if (targetType !== 'webhook' && targetSettings !== null) {
      const unsubscribed = hook.unsubscribed.map(({ recipient }) => recipient)
      const message = {
        ...request,
        accountId,
        hookId,
        targetType,
        targetSettings,
        unsubscribed,
        isTest: true,
      }
      return attemptMessage({ ...deps, ...deps.messages }, message, timeoutMs, signal)
    }
    const secrets = secretsOf({ hookId, secrets: hook.secrets }, deps.clock.now())
    return attempt(deps, { ...request, secrets }, timeoutMs, signal)
  }
  return async (hook, { eventId, body }) => {
    const { targetUrl } = hook
    const record = await attemptOf(hook, { eventId, targetUrl, body, number: 1, ...optionsOf(hook) })
    if (record.internalError !== null)
      deps.log.error('delivery.failed', { event_id: eventId, hook_id: hook.id, error: record.internalError })
    return record.attempt
  }
}
