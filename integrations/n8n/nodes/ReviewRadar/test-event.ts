import { type IHookFunctions, sleep } from 'n8n-workflow'
import { request } from './request'

type Attempt = { readonly accepted: boolean; readonly reason: string | null; readonly detail: string | null }

/** n8n stores the secret of a test hook only after `create` has returned, and cannot verify an event before. */
const STORED_AFTER_MS = 1_000

/**
 * Sends a sample event to the hook, because no review arrives while the editor listens. A failure is logged: the editor keeps listening.
 */
export function sendSampleSoon(context: IHookFunctions, hookId: string): void {
  sleep(STORED_AFTER_MS)
    .then(() =>
      request<Attempt>(context, { method: 'POST', path: `/hooks/${encodeURIComponent(hookId)}/test` }),
    )
    .then(({ accepted, reason, detail }) => {
      if (!accepted)
        context.logger.warn(
          `Review Radar could not deliver the sample event to n8n: ${reason ?? ''} ${detail ?? ''}`,
        )
    })
    .catch((error: unknown) => {
      context.logger.warn(`Review Radar sent no sample event: ${error instanceof Error ? error.message : ''}`)
    })
}
