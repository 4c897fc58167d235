import { createHash } from 'node:crypto'
import type { AtomFeedContent } from '../../operations/atom-feeds.ts'
import type { ReviewRecord } from '../../operations/reviews/reviews.ts'

/** Characters of a text that begins a title. */
const TITLE_CHARS = 80
const STORE_NAMES = { apple: 'App Store', google: 'Google Play' } as const

/**
 * The reviews as Atom 1.0 (RFC 4287). Texts of reviews are untrusted: they are of type `text`, which readers do not interpret, and
 * characters that XML forbids are replaced. Links lead to the console at `publicUrl`; `ownUrl` is the address of this document.
 */
export function atomDocument(
  { feed, appName, reviews }: AtomFeedContent,
  publicUrl: string,
  ownUrl: string,
): string {
  const base = publicUrl.replace(/\/$/, '')
  const app = `${feed.store}/${encodeURIComponent(feed.appId)}`
  const title = `Reviews of ${appName ?? feed.appId} (${STORE_NAMES[feed.store]})`
  const updated = new Date(Math.max(feed.createdAt.getTime(), ...reviews.map((each) => updatedMs(each))))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${urnOf(`atom feed ${feed.accountId} ${feed.store} ${feed.appId}`)}</id>
  <title>${escaped(title)}</title>
  <updated>${updated.toISOString()}</updated>
  <link rel="self" type="application/atom+xml" href="${escaped(ownUrl)}"/>
  <link rel="alternate" type="text/html" href="${escaped(`${base}/apps/${app}`)}"/>
  <generator>Review Radar</generator>
${reviews.map((review) => entryOf(review, base)).join('')}</feed>
`
}

function entryOf(review: ReviewRecord, base: string): string {
  const { rating, author, body, title, market, appVersion, enrichment, occurredAt } = review
  const stars = '★'.repeat(rating).padEnd(5, '☆')
  const heading = title !== null && title.trim() !== '' ? title : excerpt(body)
  const facts = [
    `${stars} ${market}`,
    appVersion === null ? null : `version ${appVersion}`,
    enrichment?.sentiment ?? null,
  ].filter((fact) => fact !== null)
  const text = [body, enrichment?.summary_en, facts.join(' · ')].filter(Boolean).join('\n\n')
  const terms = enrichment === null ? [] : [enrichment.sentiment, ...enrichment.themes]
  return `  <entry>
    <id>${urnOf(`review ${review.fingerprint}`)}</id>
    <title type="text">${escaped(`${stars} ${heading}`)}</title>
    <author><name>${escaped(author?.trim() || 'Anonymous')}</name></author>
    <published>${occurredAt.toISOString()}</published>
    <updated>${new Date(updatedMs(review)).toISOString()}</updated>
    <link rel="alternate" type="text/html" href="${base}/reviews/${review.fingerprint}"/>
${terms.map((term) => `    <category term="${escaped(term)}"/>\n`).join('')}    <content type="text">${escaped(text)}</content>
  </entry>
`
}

function updatedMs({ occurredAt, observedAt }: ReviewRecord): number {
  return Math.max(occurredAt.getTime(), observedAt.getTime())
}

function excerpt(text: string): string {
  const chars = [...text.replaceAll(/\s+/g, ' ').trim()]
  return chars.length > TITLE_CHARS ? `${chars.slice(0, TITLE_CHARS - 1).join('')}…` : chars.join('')
}

/** The same text gives the same id: a UUID of version 8 (RFC 9562), which is a hash here. */
function urnOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x80, 6)
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for XML 1.0, in content and in attributes. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
