import { uniqueApps } from '../../../model/hook.ts'
import { mailLinkUrl } from '../../../model/mail-link.ts'
import { recipientIdOf } from '../../../model/mail-recipient.ts'
import { feedKindOf } from '../../../model/market.ts'
import { knownLanguage } from '../../../model/review-language.ts'
import { storePage } from '../../../model/store-page.ts'
import { STOREFRONTS, type Storefront } from '../../../model/vocabulary.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Sealer } from '../../../runtime/seal.ts'
import type { DeliveryStorage } from '../../../storage/port/deliveries.ts'
import type { FeedStorage } from '../../../storage/port/feeds.ts'
import { TARGETS } from '../../targets/index.ts'
import type { DigestItem, EventContext, Message, MessageEvent, Target } from '../../targets/target.ts'
import type { Mask } from './mask.ts'
import type { createSettingsOpener, OpenedSettings, SealedSettings } from './settings.ts'

export type MessageDeps = {
  readonly feeds: Pick<FeedStorage, 'appNames'>
  readonly deliveries: Pick<DeliveryStorage, 'markets'>
  readonly clock: Clock
  readonly settingsOf: ReturnType<typeof createSettingsOpener>
  /** Where people reach the console; null without `RADAR_PUBLIC_URL`. */
  readonly publicUrl: string | null
  readonly seal: Sealer['seal']
}

/** What a message is made of. */
export type MessageRequest = SealedSettings & {
  /** The stored event. */
  readonly body: string
  /** Events that the same message shows. Absent: none. */
  readonly more?: readonly string[]
  /** Ids of recipients who unsubscribed. Absent: none. */
  readonly unsubscribed?: readonly string[]
  /** For each event, in the order of `body` and `more`: ids of recipients that accepted it before. Absent: none. */
  readonly acceptedBy?: readonly (readonly string[])[]
  /** Absent: the event of a delivery. */
  readonly isTest?: boolean
}

/** A message of its own for one recipient. */
export type RecipientMail = {
  /** `recipientIdOf` the address. */
  readonly recipient: string
  readonly address: string
  readonly message: Message
  /** The places of its events in the request. */
  readonly events: readonly number[]
}

export type MadeMessage =
  | {
      readonly kind: 'made'
      readonly message: Message
      readonly target: Target<unknown>
      /** Masks the secrets of the settings. */
      readonly mask: Mask
    }
  /** For recipients that have not accepted all events yet, and are subscribed. */
  | {
      readonly kind: 'for recipients'
      readonly mails: readonly RecipientMail[]
      readonly target: Target<unknown>
      readonly mask: Mask
    }
  | Extract<OpenedSettings, { kind: 'invalid settings' }>
  /** An internal error. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** Makes the message of an event for a hook. It is made at each attempt, so that a replay uses the settings of today. */
export async function makeMessage(deps: MessageDeps, request: MessageRequest): Promise<MadeMessage> {
  const target = TARGETS[request.targetType]
  const opened = deps.settingsOf(request)
  if (opened.kind === 'invalid settings') return opened
  const { settings, mask } = opened
  const found = await itemsOf(deps, [request.body, ...(request.more ?? [])])
  const items =
    request.isTest === true
      ? found.map(({ event, context }) => ({ event, context: { ...context, isTest: true } }))
      : found
  const render = (shown: readonly DigestItem[], its: unknown, unsubscribeUrl: string | null) => {
    const [first, ...others] = shown
    if (first === undefined) throw new Error('a message has an event')
    const sending = { unsubscribeUrl, now: deps.clock.now() }
    if (others.length === 0) return target.message(first.event, its, { ...first.context, ...sending })
    return target.digest(shown, its, { ...sending, consoleUrl: deliveriesUrl(deps, request.hookId) })
  }
  try {
    const recipients = target.recipients?.(settings)
    if (recipients === undefined)
      return { kind: 'made', message: render(items, settings, null), target, mask }
    const mails = recipients.flatMap(({ address, settings: its }): RecipientMail[] => {
      const recipient = recipientIdOf(request.hookId, address)
      const events = eventsFor(request, recipient)
      if (events.length === 0) return []
      const shown = events.flatMap((place) => items[place] ?? [])
      const message = render(shown, its, unsubscribeUrl(deps, request, recipient))
      return [{ recipient, address, message, events }]
    })
    return { kind: 'for recipients', mails, target, mask }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** The places of the events that a recipient has not accepted yet; none for one who unsubscribed. */
function eventsFor(
  { more = [], unsubscribed = [], acceptedBy = [] }: MessageRequest,
  recipient: string,
): number[] {
  if (unsubscribed.includes(recipient)) return []
  const places = Array.from({ length: 1 + more.length }, (_, place) => place)
  return places.filter((place) => !acceptedBy[place]?.includes(recipient))
}

/** The link that unsubscribes one recipient; null without a public address. */
function unsubscribeUrl(
  { publicUrl, seal }: MessageDeps,
  { accountId, hookId }: MessageRequest,
  recipient: string,
): string | null {
  if (publicUrl === null) return null
  return mailLinkUrl(publicUrl, seal, { purpose: 'unsubscribe', accountId, hookId, recipient })
}

/** Events with what a message shows of them beside their own fields, in two queries for all. */
async function itemsOf(deps: MessageDeps, bodies: readonly string[]): Promise<DigestItem[]> {
  const events = bodies.map((body) => JSON.parse(body) as MessageEvent)
  const changes = events.filter(({ event_type }) => feedKindOf(event_type) === 'rating')
  const [names, markets] = await Promise.all([
    deps.feeds.appNames(uniqueApps(events.map(({ store, app_id }) => ({ store, appId: app_id })))),
    changes.length === 0
      ? new Map<string, string>()
      : deps.deliveries.markets(changes.map((event) => event.occurrence_id)),
  ])
  return events.map((event) => ({ event, context: eventContext(deps, event, { names, markets }) }))
}

function eventContext(
  { publicUrl }: MessageDeps,
  event: MessageEvent,
  {
    names,
    markets,
  }: { readonly names: ReadonlyMap<string, string>; readonly markets: ReadonlyMap<string, string> },
): EventContext {
  const { store, app_id: appId } = event
  const isReview = event.event_type === 'review.created'
  const country = isReview ? event.country : countryOf(event, markets)
  const market = store === 'apple' ? country : isReview ? knownLanguage(event.enrichment) : null
  const path = isReview ? `/reviews/${event.fingerprint}` : `/apps/${store}/${encodeURIComponent(appId)}`
  return {
    appName: names.get(`${store}/${appId}`) ?? null,
    country,
    storeUrl: storePage({ store, appId, market, reviewId: reviewIdOf(event) }),
    consoleUrl: publicUrl === null ? null : `${publicUrl}${path}`,
  }
}

/** The review to link: of a spike the newest one. */
function reviewIdOf(event: MessageEvent): string | null {
  if (event.event_type === 'review.created') return event.review_id
  return event.event_type === 'reviews.spiked' ? (event.reviews[0]?.review_id ?? null) : null
}

/** The storefront of a spike in only one, or of a change of a rating. */
function countryOf(event: MessageEvent, markets: ReadonlyMap<string, string>): Storefront | null {
  if (event.event_type !== 'reviews.spiked') return storefrontOf(markets.get(event.occurrence_id))
  const [only = null] = event.countries.length === 1 ? event.countries : []
  return only
}

/** The storefront of a change of a rating; null for a test event. */
function storefrontOf(market: string | undefined): Storefront | null {
  return STOREFRONTS.find((storefront) => storefront === market) ?? null
}

/** The deliveries of the hook in the console. */
function deliveriesUrl({ publicUrl }: MessageDeps, hookId: string): string | null {
  return publicUrl === null ? null : `${publicUrl}/deliveries?hook_id=${encodeURIComponent(hookId)}`
}
