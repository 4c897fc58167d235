import { z } from 'zod'
import { APP_ID_CHARS_MAX } from '../../model/hook-limits.ts'
import { STORES } from '../../model/vocabulary.ts'
import type { AttemptView, DeliveryLine } from './deliveries.ts'
import type { DestinationLine } from './destinations.ts'

/** `POST /api/console/inbox`: subscribes the inbox to this app; without one, to all apps of the account. */
export const InboxBody = z.object({
  app: z
    .object({
      store: z.enum(STORES, { error: 'store: apple or google' }),
      appId: z
        .string({ error: 'appId: is required' })
        .trim()
        .min(1, 'appId: is required')
        .max(APP_ID_CHARS_MAX, `appId: at most ${APP_ID_CHARS_MAX} characters`),
    })
    .optional(),
})

/** An event as a line of the inbox. */
export type InboxLine = Pick<
  DeliveryLine,
  'eventId' | 'eventType' | 'subject' | 'store' | 'appId' | 'appName' | 'createdAt'
>
/** A test event of the inbox; `body` is what a webhook would get. */
export type InboxTest = InboxLine & { readonly body: string; readonly attempt: AttemptView }

/** `GET /api/console/inbox`. Its events are deliveries of the destination. */
export type InboxPage = {
  /** Null: the account has no inbox. */
  readonly destination: DestinationLine | null
  /** Newest first. */
  readonly tests: readonly InboxTest[]
}
