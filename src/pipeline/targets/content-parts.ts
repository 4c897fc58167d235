import { lazily } from '../../model/lazily.ts'
import type { EventContext, MessageEvent } from './target.ts'
import { cleanLine, isolated, truncated } from './text.ts'

/** What every type of message shows. Texts are clean but not escaped. */
export type Content = {
  /** `★★☆☆☆ Great until the last update` or `Rating drop: 4.32 → 4.10`. */
  readonly heading: string
  readonly tone: 'good' | 'neutral' | 'bad'
  /** The words of the review; null without any, and for a rating drop. */
  readonly quote: string | null
  /** The English summary of a review in another language. */
  readonly summary: string | null
  /** Facts in the order of their importance: sentiment, bug, request, themes; or count and rule of a drop. */
  readonly facts: readonly string[]
  /** App, store, storefront, version, author, date. */
  readonly origin: readonly string[]
  readonly links: readonly Link[]
}

export type Link = { readonly label: string; readonly url: string }

/** All but the links, which do not depend on the type of the event. */
export type Facts = Omit<Content, 'links'>

const NAME_CHARS_MAX = 60

/** The name of the app, or its id. */
export function appOf(event: Pick<MessageEvent, 'app_id'>, context: EventContext): string {
  return nameOf(context.appName ?? '') || nameOf(event.app_id)
}

/** A short name in a line of other parts. */
export function nameOf(text: string): string {
  return isolated(truncated(cleanLine(text), NAME_CHARS_MAX))
}

export function codeOf(country: string | null): string {
  return country === null ? '' : country.toUpperCase()
}

const REGIONAL_INDICATOR_A = 0x1f1e6

/** `🇺🇸 US`. Systems without flags show the letters twice. */
export function placeOf(country: string): string {
  const letters = [...codeOf(country)].map((letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65)
  return `${String.fromCodePoint(...letters)} ${codeOf(country)}`
}

const dateFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
)

export function dateOf(instant: string): string {
  return dateFormat().format(new Date(instant))
}
