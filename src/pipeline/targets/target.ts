import type { z } from 'zod'
import type { WebhookEvent } from '../../contract/webhook.ts'
import type { FormattedTargetType } from '../../model/target.ts'
import type { TargetFailureReason } from '../../model/vocabulary.ts'

/** The events that a message can show. */
export type MessageEvent = WebhookEvent

/** What to send for an event: one HTTP request or one mail. It may contain secrets of the settings in URL and headers. */
export type Message = HttpMessage | MailMessage

export type HttpMessage = {
  readonly kind: 'http'
  readonly method: 'POST' | 'PUT' | 'GET'
  readonly url: string
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type MailMessage = {
  readonly kind: 'mail'
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  /** Pictures inside the HTML form, which refers to them by `cid:`. */
  readonly images: readonly MailImage[]
}

export type MailImage = { readonly cid: string; readonly name: string; readonly png: Uint8Array }

/** What a message shows of an event that the event itself does not contain. */
export type EventContext = {
  readonly appName: string | null
  /** The storefront of a change of a rating, whose event has none; null if unknown. Reviews have their own. */
  readonly country: string | null
  /** The page of the app in its store. */
  readonly storeUrl: string | null
  /** The page of the review or the app in the console; null without `RADAR_PUBLIC_URL`. */
  readonly consoleUrl: string | null
  /** The message is marked as a test, so that nobody acts on it. Absent: it is none. */
  readonly isTest?: boolean
}

type SendContext = {
  /** Where a recipient of mail unsubscribes; null without such a page. */
  readonly unsubscribeUrl: string | null
  readonly now: Date
}

export type MessageContext = EventContext & SendContext

export type DigestItem = { readonly event: MessageEvent; readonly context: EventContext }

export type DigestContext = SendContext & {
  /** The page in the console with all events of the digest. */
  readonly consoleUrl: string | null
}

export type TargetFailure =
  | {
      readonly kind: 'permanent'
      readonly reason: TargetFailureReason
      /** What happened and what to do, in one or two sentences. */
      readonly detail: string
    }
  /** A rate limit: the message may be sent again after this time. */
  | { readonly kind: 'wait'; readonly afterMs: number }

/** The answer of a service. For mail, `status` is the SMTP code and `body` the text after it. */
export type TargetAnswer = {
  readonly status: number
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** One type of formatted destination. Everything is pure: no I/O and no clock. Methods get settings that its schema has checked. */
export type Target<Settings> = {
  readonly type: FormattedTargetType
  /** The fields as the API takes them. An error names the field, what was wrong and what is allowed. */
  readonly settings: z.ZodType<Settings>
  /** Names of the settings that are never shown again after they were saved. */
  readonly secretFields: readonly string[]
  /** A URL for display: the real scheme and host, no secrets. */
  shownUrl(settings: Settings): string
  message(event: MessageEvent, settings: Settings, context: MessageContext): Message
  /** Several events in one message. Those that do not fit are counted: "and 12 more". At least one item. */
  digest(items: readonly DigestItem[], settings: Settings, context: DigestContext): Message
  /** For a type that sends each recipient a message of their own; absent: one message for all. */
  recipients?(settings: Settings): readonly { readonly address: string; readonly settings: Settings }[]
  /** The meaning of an unsuccessful answer; null for the general rules of retries. */
  failureOf(answer: TargetAnswer): TargetFailure | null
  /** The pace that the service allows for one channel. */
  readonly ratePerSecond: number
}
