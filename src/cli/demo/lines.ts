import type { WebhookEvent } from '../../contract/webhook.ts'
import { excerpt, harmless } from '../table.ts'

const STORE_NAMES = { apple: 'App Store', google: 'Google Play' } as const
const TEXT_CHARS_MAX = 64

/** One event as one line: when, what, where, and what was understood of it. */
export function eventLine(event: WebhookEvent, appName: string): string {
  const time = event.observed_at.slice(11, 19)
  const place = `${STORE_NAMES[event.store].padEnd(11)} ${appName}`
  if (event.event_type === 'rating.dropped') {
    const { previous_rating: before, current_rating: now, rating_count: count } = event
    return `${time}  ▼ ${before.toFixed(2)} → ${now.toFixed(2)}  ${place}: the rating fell by ${Math.abs(event.delta).toFixed(2)} (${count} ratings)\n`
  }
  const stars = '★'.repeat(event.rating) + '☆'.repeat(5 - event.rating)
  const understood = event.enrichment
  const notes = understood
    ? `\n${' '.repeat(10)}${understood.language} · ${understood.sentiment} · ${understood.themes.join(', ')} · ${harmless(understood.summary_en)}`
    : ''
  return `${time}  ${stars}        ${place} (${event.country}): “${excerpt(event.title ?? event.body, TEXT_CHARS_MAX)}”${notes}\n`
}
