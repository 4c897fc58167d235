import { changed, type Parsed, parsed, recordOf } from '../parsed.ts'
import { type FeedPage, pageOfLink } from './feed-page.ts'
import { noFields, type ReviewFields, reviewsOf } from './review-fields.ts'

/**
 * Reads the JSON form of the feed, where every scalar is wrapped as `{label}`. A single review is an object instead of
 * an array. Without reviews there is no `entry`. The first entry may be the app itself (recorded 2018-03); its fields
 * identify it, not its position.
 */
export function parseFeedJson(root: unknown): Parsed<FeedPage> {
  const feed = recordOf(recordOf(root)?.feed)
  if (feed === null) return changed('the answer is not a feed')
  if (feed.entry === undefined && feed.link === undefined)
    return changed('the feed has neither entries nor links')

  const rows: ReviewFields[] = []
  for (const item of listOf(feed.entry)) {
    const entry = recordOf(item)
    if (entry === null) {
      rows.push(noFields(item))
      continue
    }
    if (entry['im:rating'] === undefined && entry['im:name'] !== undefined) continue
    rows.push({
      raw: item,
      reviewId: labelOf(entry.id),
      rating: labelOf(entry['im:rating']),
      title: labelOf(entry.title),
      body: labelOf(entry.content),
      author: labelOf(recordOf(entry.author)?.name),
      appVersion: labelOf(entry['im:version']),
      shownAt: labelOf(entry.updated),
    })
  }
  const reviews = reviewsOf(rows)
  if (reviews.kind === 'changed') return reviews
  return parsed({ ...reviews.value, ...linkedPages(feed.link) })
}

function linkedPages(links: unknown): { lastPage: number | null; nextPage: number | null } {
  const pages = { lastPage: null as number | null, nextPage: null as number | null }
  for (const link of listOf(links)) {
    const attributes = recordOf(recordOf(link)?.attributes)
    if (typeof attributes?.href !== 'string') continue
    if (attributes.rel === 'last') pages.lastPage = pageOfLink(attributes.href)
    if (attributes.rel === 'next') pages.nextPage = pageOfLink(attributes.href)
  }
  return pages
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function labelOf(value: unknown): unknown {
  return recordOf(value)?.label
}
