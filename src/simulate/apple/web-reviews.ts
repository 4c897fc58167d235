import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { developerResponse } from './developer-response.ts'
import { apiError, html, json, utcText } from './reply.ts'
import type { Route } from './route.ts'

export const WEB_PAGE_REVIEWS = 20

/** The reviews of the web store. Answers 400 without `platform`, 429 without a browser's user agent, and 404 without reviews. */
export function webAnswer(
  world: World,
  route: Extract<Route, { source: 'web' }>,
  request: SimulatedRequest,
  fault: Fault | null,
): SimulatedAnswer {
  if (!/^Mozilla\//.test(request.headers['user-agent'] ?? '')) return html(429, '<h1>Too Many Requests</h1>')
  if (route.query.get('platform') === null) return apiError(400, 'Missing Required Parameter')
  const { appId, storefront } = route
  const element = (review: WorldReview) =>
    elementOf(review, developerResponse(world, appId, review.id, request.at))
  const all = throughFault(world.reviews({ store: 'apple', appId, market: storefront }), fault)
  if (fault?.kind === 'gone' || all.length === 0) return apiError(404, 'Resource Not Found')
  if (fault?.kind === 'changed') return json(200, { results: all.slice(0, WEB_PAGE_REVIEWS).map(element) })

  const limit = Number(route.query.get('limit') ?? WEB_PAGE_REVIEWS)
  const offset = Number(route.query.get('offset') ?? 0)
  // Any other order than `recent` is "most helpful", here oldest first.
  const ordered = route.query.get('sort') === 'recent' ? all : [...all].reverse()
  const isMissing = fault?.kind === 'transient_empty' || fault?.kind === 'hole'
  const shown = isMissing || limit > WEB_PAGE_REVIEWS ? [] : ordered.slice(offset, offset + limit)
  // The store omits platform and sort in `next`.
  const next = `/v1/catalog/${storefront}/apps/${appId}/reviews?l=en-US&offset=${offset + limit}`
  return json(200, { ...(offset + limit < all.length ? { next } : {}), data: shown.map(element) })
}

function elementOf(review: WorldReview, response: object): Record<string, unknown> {
  return {
    id: review.id,
    type: 'user-reviews',
    attributes: {
      rating: review.rating,
      review: review.body,
      isEdited: review.editedAt !== null,
      date: utcText(shownAtOf(review)),
      ...(review.author === null ? {} : { userName: review.author }),
      title: review.title ?? '',
      ...response,
    },
  }
}
