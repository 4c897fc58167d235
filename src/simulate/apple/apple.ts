import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault, RequestSubject } from '../fault.ts'
import type { World } from '../world.ts'
import { pageAnswer } from './app-page.ts'
import { feedAnswer } from './feed.ts'
import { lookupAnswer, searchAnswer } from './lookup.ts'
import { html } from './reply.ts'
import { type Asked, routeOf } from './route.ts'
import { rowAnswer } from './user-reviews-row.ts'
import { WEB_PAGE_REVIEWS, webAnswer } from './web-reviews.ts'

/**
 * The App Store over `world`: both its hosts, in the store's wire formats (recorded 2018 to 2026), with the faults that are
 * switched on. Every request is logged with its time.
 */
export function handleApple(world: World, request: SimulatedRequest): SimulatedAnswer {
  const asked = routeOf(request)
  if (asked === null || request.method !== 'GET') return html(404, '<h1>Not Found</h1>')
  const subject = subjectOf(asked)
  const faults = consumeFaults(world, subject)
  const answer = withFaults(world, asked, request, faults)
  const status = answer.drop === true ? null : answer.status
  world.logRequest({ ...subject, method: request.method, url: request.url, at: request.at, status })
  return answer
}

function subjectOf(asked: Asked): RequestSubject {
  const about = { store: 'apple', source: asked.source, market: asked.storefront } as const
  switch (asked.source) {
    case 'rss':
      return { ...about, appIds: [asked.appId], page: asked.page }
    case 'web':
      return { ...about, appIds: [asked.appId], page: pageOf(asked.query, 'offset', WEB_PAGE_REVIEWS) }
    case 'row':
      return { ...about, appIds: [asked.appId], page: pageOf(asked.query, 'startIndex', 200) }
    case 'page':
      return { ...about, appIds: [asked.appId], page: null }
    case 'lookup':
      return { ...about, appIds: asked.ids, page: null }
    case 'search':
      return { ...about, appIds: [], page: null }
  }
}

function pageOf(query: URLSearchParams, start: string, pageReviews: number): number {
  return Math.floor(Number(query.get(start) ?? 0) / pageReviews) + 1
}

/** Faults by app id: a lookup has the faults of each of its apps. The fault of a request without an app is under ''. */
function consumeFaults(world: World, subject: RequestSubject): ReadonlyMap<string, Fault> {
  const faults = new Map<string, Fault>()
  for (const appId of subject.appIds.length === 0 ? [''] : subject.appIds) {
    const fault = world.consumeFault({ ...subject, appIds: appId === '' ? [] : [appId] })
    if (fault === null) continue
    faults.set(appId, fault)
    if (isOfRequest(fault)) break
  }
  return faults
}

/** Whether it affects the whole answer, not single apps in it. */
function isOfRequest(fault: Fault): boolean {
  return fault.kind !== 'gone' && fault.kind !== 'zero_rating'
}

function withFaults(
  world: World,
  asked: Asked,
  request: SimulatedRequest,
  faults: ReadonlyMap<string, Fault>,
): SimulatedAnswer {
  const fault = [...faults.values()].find(isOfRequest) ?? [...faults.values()][0] ?? null
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
      return { ...answerOf(world, asked, request, fault, faults), delayMs: fault.delayMs }
    default:
      return answerOf(world, asked, request, fault, faults)
  }
}

function answerOf(
  world: World,
  asked: Asked,
  request: SimulatedRequest,
  fault: Fault | null,
  faults: ReadonlyMap<string, Fault>,
): SimulatedAnswer {
  switch (asked.source) {
    case 'rss':
      return feedAnswer(world, asked, request, fault)
    case 'web':
      return webAnswer(world, asked, request, fault)
    case 'row':
      return rowAnswer(world, asked, request, fault)
    case 'page':
      return pageAnswer(world, asked, fault)
    case 'lookup':
      return lookupAnswer(world, asked, faults)
    case 'search':
      return searchAnswer(world, asked, fault)
  }
}
