import { storePage } from '../../../model/store-page.ts'
import type { FormattedTargetType } from '../../../model/target.ts'
import { STOREFRONTS, type Storefront } from '../../../model/vocabulary.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { DeliveryStorage } from '../../../storage/port/deliveries.ts'
import type { FeedStorage } from '../../../storage/port/feeds.ts'
import { TARGETS } from '../../targets/index.ts'
import type { DigestItem, EventContext, Message, MessageEvent, Target } from '../../targets/target.ts'
import { type Mask, maskOf } from './mask.ts'

export type MessageDeps = {
  readonly feeds: Pick<FeedStorage, 'appNames'>
  readonly deliveries: Pick<DeliveryStorage, 'markets'>
  readonly clock: Clock
  /** Opens settings that were sealed for this hook. Throws when they were sealed under another key. */
  readonly openSecret: (sealed: string, hookId: string) => string
  /** Where people reach the console; null without `RADAR_PUBLIC_URL`. */
  readonly publicUrl: string | null
}

/** What a message is made of. */
export type MessageRequest = {
  readonly hookId: string
  readonly targetType: FormattedTargetType
  readonly targetSettings: string
  /** The stored event. */
  readonly body: string
  /** Events that the same message shows. Absent: none. */
  readonly more?: readonly string[]
}

export type MadeMessage =
  | {
      readonly kind: 'made'
      readonly message: Message
      readonly target: Target<unknown>
      /** Masks the secrets of the settings. */
      readonly mask: Mask
    }
  /** The stored settings do not fit the type, so every attempt would fail until they are saved again. */
  | { readonly kind: 'invalid settings'; readonly detail: string }
  /** An internal error. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** Makes the message of an event for a hook. It is made at each attempt, so that a replay uses the settings of today. */
export async function makeMessage(deps: MessageDeps, request: MessageRequest): Promise<MadeMessage> {
  const target = TARGETS[request.targetType]
  const stored: unknown = JSON.parse(deps.openSecret(request.targetSettings, request.hookId))
  const { data: settings, error } = target.settings.safeParse(stored)
  if (error !== undefined) {
    return {
      kind: 'invalid settings',
      detail: `The settings of the destination are not valid: ${error.issues.map(({ message }) => message).join(' ')} Save them again.`,
    }
  }
  const [first, ...others] = await Promise.all(
    [request.body, ...(request.more ?? [])].map((body) => itemOf(deps, body)),
  )
  if (first === undefined) throw new Error('a message has an event')
  const sending = { unsubscribeUrl: null, now: deps.clock.now() }
  try {
    const message =
      others.length === 0
        ? target.message(first.event, settings, { ...first.context, ...sending })
        : target.digest([first, ...others], settings, {
            ...sending,
            consoleUrl: deliveriesUrl(deps, request.hookId),
          })
    return { kind: 'made', message, target, mask: maskOf(settings, target.secretFields) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

async function itemOf(deps: MessageDeps, body: string): Promise<DigestItem> {
  const event = JSON.parse(body) as MessageEvent
  return { event, context: await eventContext(deps, event) }
}

/** The deliveries of the hook in the console. */
function deliveriesUrl({ publicUrl }: MessageDeps, hookId: string): string | null {
  return publicUrl === null ? null : `${publicUrl}/deliveries?destination=${encodeURIComponent(hookId)}`
}

/** What a message shows of an event beside its own fields. */
async function eventContext(deps: MessageDeps, event: MessageEvent): Promise<EventContext> {
  const { store, app_id: appId } = event
  const names = await deps.feeds.appNames([{ store, appId }])
  const isReview = event.event_type === 'review.created'
  const country = isReview ? event.country : await storefrontOf(deps, event.occurrence_id)
  const market = store === 'apple' ? country : isReview ? (event.enrichment?.language ?? null) : null
  const path = isReview ? `/reviews/${event.fingerprint}` : `/apps/${store}/${encodeURIComponent(appId)}`
  return {
    appName: names.get(`${store}/${appId}`) ?? null,
    country,
    storeUrl: storePage({ store, appId, market, reviewId: isReview ? event.review_id : null }),
    consoleUrl: deps.publicUrl === null ? null : `${deps.publicUrl}${path}`,
  }
}

/** The storefront of a rating drop; null for a test event. */
async function storefrontOf(
  { deliveries }: Pick<MessageDeps, 'deliveries'>,
  occurrenceId: string,
): Promise<Storefront | null> {
  const market = (await deliveries.markets([occurrenceId])).get(occurrenceId)
  return STOREFRONTS.find((storefront) => storefront === market) ?? null
}
