import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import { handleAppStoreConnect, isAppStoreConnect } from '../appstoreconnect/appstoreconnect.ts'
import type { Fault, RequestSubject } from '../fault.ts'
import type { World } from '../world.ts'
import { pageAnswer } from './app-page.ts'
import { feedAnswer } from './feed.ts'
import { lookupAnswer, searchAnswer } from './lookup.ts'
import { html } from './reply.ts'
import { type Route, routeOf } from './route.ts'
import { rowAnswer } from './user-reviews-row.ts'
import { WEB_PAGE_REVIEWS, webAnswer } from './web-reviews.ts'

/**
 * Simulates both hosts of the App Store with the data of `world`, in the store's formats (recorded 2018 to 2026) and with the active
 * faults, and App Store Connect, whose paths differ from theirs. Logs every request with its time.
 */
export function handleApple(world: World, request: SimulatedRequest): SimulatedAnswer {
  if (isAppStoreConnect(request.url)) return handleAppStoreConnect(world, request)
  const route = routeOf(request)
  if (route === null || request.method !== 'GET') return html(404, '<h1>Not Found</h1>')
  const subject = subjectOf(route)
  const faults = consumeFaults(world, subject)
  const answer = withFaults(world, route, request, faults)
  const status = answer.drop === true ? null : answer.status
  world.logRequest({ ...subject, method: request.method, url: request.url, at: request.at, status })
  return answer
}

function subjectOf(route: Route): RequestSubject {
  const about = { store: 'apple', source: route.source, market: route.storefront } as const
  switch (route.source) {
    case 'rss':
      return { ...about, appIds: [route.appId], page: route.page }
    case 'web':
      return { ...about, appIds: [route.appId], page: pageOf(route.query, 'offset', WEB_PAGE_REVIEWS) }
    case 'row':
      return { ...about, appIds: [route.appId], page: pageOf(route.query, 'startIndex', 200) }
    case 'page':
      return { ...about, appIds: [route.appId], page: null }
    case 'lookup':
      return { ...about, appIds: route.ids, page: null }
    case 'search':
      return { ...about, appIds: [], page: null }
  }
}

function pageOf(query: URLSearchParams, start: string, pageReviews: number): number {
  return Math.floor(Number(query.get(start) ?? 0) / pageReviews) + 1
}

/** Faults by app id, because a lookup has the faults of each of its apps. The key for a request without an app is ''. */
function consumeFaults(world: World, subject: RequestSubject): ReadonlyMap<string, Fault> {
  const faults = new Map<string, Fault>()
  for (const appId of subject.appIds.length === 0 ? [''] : subject.appIds) {
    const fault = world.consumeFault({ ...subject, appIds: appId === '' ? [] : [appId] })
    if (fault === null) continue
    faults.set(appId, fault)
    if (affectsAnswer(fault)) break
  }
  return faults
}

/** Whether the fault affects the whole answer, not only some of its apps. */
function affectsAnswer(fault: Fault): boolean {
  return fault.kind !== 'gone' && fault.kind !== 'zero_rating'
}

function withFaults(
  world: World,
  route: Route,
  request: SimulatedRequest,
  faults: ReadonlyMap<string, Fault>,
): SimulatedAnswer {
  const fault = [...faults.values()].find(affectsAnswer) ?? [...faults.values()][0] ?? null
  switch (fault?.kind) {
    case 'status': {
      const { status, retryAfterSeconds } = fault
      const wait: Record<string, string> =
        retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      const answer = html(status, `<h1>${status}</h1>`)
      return { ...answer, headers: { ...answer.headers, ...wait } }
    }
    case 'html':
      return html(200, '<h1>We will be back soon.</h1>')
    case 'captcha':
      return html(200, '<h1>Verify you are human</h1><div class="captcha"></div>')
    case 'drop':
      return { status: 200, headers: {}, body: '', drop: true }
    case 'slow':
      return { ...answerOf(world, route, request, fault, faults), delayMs: fault.delayMs }
    default:
      return answerOf(world, route, request, fault, faults)
  }
}

function answerOf(
  world: World,
  route: Route,
  request: SimulatedRequest,
  fault: Fault | null,
  faults: ReadonlyMap<string, Fault>,
): SimulatedAnswer {
  switch (route.source) {
    case 'rss':
      return feedAnswer(world, route, request, fault)
    case 'web':
      return webAnswer(world, route, request, fault)
    case 'row':
      return rowAnswer(world, route, request, fault)
    case 'page':
      return pageAnswer(world, route, fault)
    case 'lookup':
      return lookupAnswer(world, route, faults)
    case 'search':
      return searchAnswer(world, route, fault)
  }
}
