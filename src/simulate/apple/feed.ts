import { gzipSync } from 'node:zlib'
import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { authorUri, type FeedContent, type FeedLink, offsetText } from './feed-content.ts'
import { feedXml } from './feed-xml.ts'
import type { Route } from './route.ts'

const PAGE_REVIEWS = 50
const PAGES_MAX = 10

/** One page of the customer reviews feed, or the store's error text after page 10. */
export function feedAnswer(
  world: World,
  route: Extract<Route, { source: 'rss' }>,
  request: SimulatedRequest,
  fault: Fault | null,
): SimulatedAnswer {
  if (!(route.page >= 1 && route.page <= PAGES_MAX)) return tooDeep(request)
  const content = contentOf(world, route, request, fault)
  if (route.form === 'xml') {
    const body = feedXml(content, fault?.kind === 'changed')
    return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body }
  }
  const body = JSON.stringify({ feed: feedJson(content, fault?.kind === 'changed') })
  return { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' }, body }
}

function contentOf(
  world: World,
  route: Extract<Route, { source: 'rss' }>,
  request: SimulatedRequest,
  fault: Fault | null,
): FeedContent {
  const { appId, storefront, page } = route
  const isEmpty = fault?.kind === 'gone' || fault?.kind === 'empty_shell'
  const newest = isEmpty
    ? []
    : throughFault(world.reviews({ store: 'apple', appId, market: storefront }), fault)
  const all = route.newestFirst ? newest : [...newest].reverse()
  const isMissing = fault?.kind === 'transient_empty' || fault?.kind === 'hole'
  const pages = Math.min(Math.max(Math.ceil(all.length / PAGE_REVIEWS), isMissing ? page : 0), PAGES_MAX)
  const path = new URL(request.url, 'http://store.invalid').pathname
  return {
    storefront,
    appId,
    reviews: isMissing ? [] : all.slice((page - 1) * PAGE_REVIEWS, page * PAGE_REVIEWS),
    updated: offsetText(request.at),
    links: linksOf(route, path, pages),
    id: `https://itunes.apple.com${path}`,
  }
}

/** The links are empty without reviews. Otherwise they point to the XML format, even in the JSON format. */
function linksOf(route: Extract<Route, { source: 'rss' }>, path: string, pages: number): FeedLink[] {
  const { appId, storefront, page } = route
  const href = (to: number) =>
    pages === 0
      ? ''
      : `https://itunes.apple.com/${storefront}/rss/customerreviews/page=${to}/id=${appId}/sortby=mostrecent/xml` +
        `?urlDesc=${path.replace(/^\/[a-z]{2}\/rss/i, '')}`
  const alternate = `https://music.apple.com/WebObjects/MZStore.woa/wa/viewGrouping?cc=${storefront}&id=1`
  return [
    { rel: 'alternate', type: 'text/html', href: alternate },
    { rel: 'self', href: `https://itunes.apple.com${path}` },
    { rel: 'first', href: href(1) },
    { rel: 'last', href: href(pages) },
    { rel: 'previous', href: href(Math.max(1, page - 1)) },
    { rel: 'next', href: href(Math.min(pages, page + 1)) },
  ]
}

const label = (text: string) => ({ label: text })

/** `entry` is absent without reviews, an object for one review, and an array for more. `changed` removes the stars. */
function feedJson(content: FeedContent, changed: boolean): Record<string, unknown> {
  const entries = content.reviews.map((review) => entryJson(content, review, changed))
  const entry = entries.length === 1 ? entries[0] : entries
  return {
    author: { name: label('iTunes Store'), uri: label('http://www.apple.com/itunes/') },
    ...(entries.length === 0 ? {} : { entry }),
    updated: label(content.updated),
    rights: label('Copyright 2008 Apple Inc.'),
    title: label('iTunes Store: Customer Reviews'),
    icon: label('http://itunes.apple.com/favicon.ico'),
    link: content.links.map((attributes) => ({ attributes })),
    id: label(content.id),
  }
}

function entryJson(content: FeedContent, review: WorldReview, changed: boolean): Record<string, unknown> {
  const { storefront, appId } = content
  const related = `https://itunes.apple.com/${storefront}/review?id=${appId}&type=Purple%20Software`
  return {
    ...(review.author === null ? {} : { author: authorJson(content, review.author) }),
    updated: label(offsetText(shownAtOf(review))),
    [changed ? 'im:stars' : 'im:rating']: label(String(review.rating)),
    ...(review.version === null ? {} : { 'im:version': label(review.version) }),
    id: label(review.id),
    title: label(review.title ?? ''),
    content: { label: review.body, attributes: { type: 'text' } },
    link: { attributes: { rel: 'related', href: related } },
    'im:voteSum': label('0'),
    'im:contentType': { attributes: { term: 'Application', label: 'Application' } },
    'im:voteCount': label('0'),
  }
}

function authorJson(content: FeedContent, author: string): Record<string, unknown> {
  return { uri: label(authorUri(content.storefront, author)), name: label(author), label: '' }
}

function tooDeep(request: SimulatedRequest): SimulatedAnswer {
  const text = 'CustomerReviews RSS page depth is limited to 10'
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return { status: 400, headers, body: text }
  return { status: 400, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(text) }
}
