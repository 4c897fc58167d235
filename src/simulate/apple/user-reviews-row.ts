import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { developerResponse } from './developer-response.ts'
import { html, json, utcText } from './reply.ts'
import type { Route } from './route.ts'

/** The endpoint of iTunes, which answers HTML to other clients without a store front header. */
export function rowAnswer(
  world: World,
  route: Extract<Route, { source: 'row' }>,
  request: SimulatedRequest,
  fault: Fault | null,
): SimulatedAnswer {
  const isItunes =
    /^iTunes\//.test(request.headers['user-agent'] ?? '') ||
    request.headers['x-apple-store-front'] !== undefined
  if (!isItunes) return html(200, '<h1>Customer Reviews</h1>')
  const { appId, storefront } = route
  const start = Number(route.query.get('startIndex') ?? 0)
  const end = Math.min(Number(route.query.get('endIndex') ?? 0), start + 200)
  const isMissing = fault !== null && ['transient_empty', 'hole', 'gone'].includes(fault.kind)
  const stored = isMissing ? [] : world.reviews({ store: 'apple', appId, market: storefront })
  const isSorted = fault?.kind === 'unsorted' && route.query.get('sort') === '4'
  const all = isSorted ? stored : throughFault(stored, fault)
  const rows = all
    .slice(start, end)
    .map((review) => rowOf(review, developerResponse(world, appId, review.id, request.at)))
  return json(200, fault?.kind === 'changed' ? { reviews: rows } : { userReviewList: rows })
}

function rowOf(review: WorldReview, response: object): Record<string, unknown> {
  return {
    userReviewId: review.id,
    body: escaped(review.body),
    date: utcText(shownAtOf(review)),
    name: escaped(review.author ?? ''),
    rating: review.rating,
    title: escaped(review.title ?? ''),
    isEdited: review.editedAt !== null,
    voteCount: 0,
    voteSum: 0,
    ...response,
  }
}

/** The endpoint escapes texts as in HTML (C 2026-09). */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
