import { alertSealOf } from '../model/alert.ts'
import type { ClaimedAlert } from '../storage/port/alerts.ts'
import { type AttemptDeps, attempt } from './send/attempt.ts'

/** Sends an alert as events are sent: signed, through the guarded egress, with one deadline. */
export function createAlertWebhook(
  deps: AttemptDeps & { readonly openSecret: (sealed: string, purpose: string) => string },
  timeoutMs: number,
  signal: AbortSignal,
): (claimed: ClaimedAlert, url: string) => Promise<string | null> {
  return async ({ alert, settings, attempts }, url) => {
    if (settings.webhookSecret === null) return 'The webhook has no secret. Make a new one.'
    const secret = deps.openSecret(settings.webhookSecret, alertSealOf(alert.accountId))
    const { attempt: made } = await attempt(
      deps,
      { eventId: alert.id, targetUrl: url, body: alert.body, secrets: [secret], number: attempts + 1 },
      timeoutMs,
      signal,
    )
    return made.reason === null ? null : (made.detail ?? made.reason)
  }
}
