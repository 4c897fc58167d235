import { changed, type Parsed, parsed } from '../parsed.ts'
import { unescaped } from './entities.ts'
import { type FeedPage, pageOfLink } from './feed-page.ts'
import { type ReviewFields, ROWS_MAX, reviewsOf } from './review-fields.ts'

/**
 * Reads the XML form of the feed by its tags. An XML parser would reject it: links contain bare `&`, and `<content
 * type="html">` contains bare HTML (recorded 2021-02). It only searches with `indexOf`, so time is linear in the
 * answer's length.
 */
export function parseFeedXml(xml: string): Parsed<FeedPage> {
  const start = xml.indexOf('<feed')
  if (start === -1) return changed('the answer is not a feed')
  const firstEntry = xml.indexOf('<entry>', start)
  const head = xml.slice(start, firstEntry === -1 ? undefined : firstEntry)
  if (firstEntry === -1 && !head.includes('<link ')) return changed('the feed has neither entries nor links')

  const rows: ReviewFields[] = []
  const pieces =
    firstEntry === -1
      ? []
      : xml
          .slice(firstEntry)
          .split('<entry>', ROWS_MAX + 2)
          .slice(1)
  for (const piece of pieces) {
    const entry = entryFields(piece)
    if (entry !== null) rows.push(entry)
  }
  const reviews = reviewsOf(rows)
  if (reviews.kind === 'changed') return reviews
  return parsed({
    ...reviews.value,
    lastPage: linkedPage(head, 'last'),
    nextPage: linkedPage(head, 'next'),
  })
}

/** Null for the app itself, which has been the first entry of the feed. */
function entryFields(entry: string): ReviewFields | null {
  // The HTML copy of the text contains tags. Remove it before reading the fields.
  const html = entry.indexOf('<content type="html"')
  const htmlEnd = entry.indexOf('</content>', html)
  const plain = html === -1 || htmlEnd === -1 ? entry : entry.slice(0, html) + entry.slice(htmlEnd)
  const rating = elementOf(plain, 'im:rating')
  if (rating === undefined && plain.includes('<im:name>')) return null
  return {
    raw: `<entry>${entry}`,
    reviewId: elementOf(plain, 'id'),
    rating,
    title: elementOf(plain, 'title'),
    body: elementOf(plain, 'content', ' type="text"'),
    author: elementOf(elementOf(plain, 'author', '', false) ?? '', 'name'),
    appVersion: elementOf(plain, 'im:version'),
    shownAt: elementOf(plain, 'updated'),
  }
}

/** Text of the first `<name attributes>`; undefined without one. */
function elementOf(xml: string, name: string, attributes = '', decoded = true): string | undefined {
  const open = `<${name}${attributes}>`
  const start = xml.indexOf(open)
  const end = xml.indexOf(`</${name}>`, start)
  if (start === -1 || end === -1) return xml.includes(`<${name}${attributes}/>`) ? '' : undefined
  const inner = xml.slice(start + open.length, end)
  return decoded ? decode(inner) : inner
}

function linkedPage(head: string, rel: string): number | null {
  const start = head.indexOf(`<link rel="${rel}"`)
  if (start === -1) return null
  const href = /href="([^"]*)"/.exec(head.slice(start, head.indexOf('>', start)))
  return pageOfLink(decode(href?.[1] ?? ''))
}

/** Removes one level of escaping. */
function decode(text: string): string {
  const cdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text)
  if (cdata?.[1] !== undefined) return cdata[1]
  return unescaped(text)
}
