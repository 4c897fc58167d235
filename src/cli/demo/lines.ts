import type { WebhookEvent } from '../../contract/webhook.ts'
import { excerpt, sanitize } from '../table.ts'

const STORE_NAMES = { apple: 'App Store', google: 'Google Play' } as const
const TEXT_CHARS_MAX = 64

/** An event as one line, with its enrichment on a second line. */
export function eventLine(event: WebhookEvent, appName: string): string {
  const time = event.observed_at.slice(11, 19)
  const place = `${STORE_NAMES[event.store].padEnd(11)} ${appName}`
  if (event.event_type === 'reviews.spiked') {
    const { review_count: count, usual_count: usual } = event
    return `${time}  ▲ ${`${count} in 1 h`.padEnd(11)}  ${place}: a spike of negative reviews (usually ${usual} an hour)\n`
  }
  if (event.event_type === 'rating.recovered') {
    const { previous_rating: before, current_rating: now } = event
    return `${time}  ▲ ${before.toFixed(2)} → ${now.toFixed(2)}  ${place}: the rating is again ${event.rating_before_drop.toFixed(2)} or higher\n`
  }
  if (event.event_type === 'rating.dropped') {
    const { previous_rating: before, current_rating: now, rating_count: count } = event
    return `${time}  ▼ ${before.toFixed(2)} → ${now.toFixed(2)}  ${place}: the rating fell by ${Math.abs(event.delta).toFixed(2)} (${count} ratings)\n`
  }
  const stars = '★'.repeat(event.rating) + '☆'.repeat(5 - event.rating)
  const { enrichment } = event
  const details = enrichment
    ? `\n${' '.repeat(10)}${enrichment.language} · ${enrichment.sentiment} · ${enrichment.themes.join(', ')} · ${sanitize(enrichment.summary_en)}`
    : ''
  return `${time}  ${stars}        ${place} (${event.country}): “${excerpt(event.title ?? event.body, TEXT_CHARS_MAX)}”${details}\n`
}
