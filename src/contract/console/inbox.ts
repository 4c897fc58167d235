import { z } from 'zod'
import type { DeliveryAttempt } from '../attempt.ts'
import { ruleFields } from '../hook.ts'
import type { DeliveryRow } from '../v1/deliveries.ts'
import type { DestinationLine } from './destinations.ts'

/** `POST /api/console/inbox`: subscribes the inbox to this app; without one, to all apps of the account. */
export const InboxBody = z.object({
  app: z.object({ store: ruleFields.store, app_id: ruleFields.app_id }).optional(),
})

/** An event as a line of the inbox. */
export type InboxLine = Pick<
  DeliveryRow,
  'event_id' | 'event_type' | 'subject' | 'store' | 'app_id' | 'app_name' | 'created_at'
>
/** A test event of the inbox; `body` is what a webhook would get. */
export type InboxTest = InboxLine & { readonly body: string; readonly attempt: DeliveryAttempt }

/** `GET /api/console/inbox`. Its events are deliveries of the destination. */
export type InboxPage = {
  /** Null: the account has no inbox. */
  readonly destination: DestinationLine | null
  /** Newest first. */
  readonly tests: readonly InboxTest[]
}
