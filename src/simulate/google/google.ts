import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault, RequestSubject } from '../fault.ts'
import {
  handleGooglePlayDeveloper,
  isGooglePlayDeveloper,
} from '../googleplay-developer/googleplay-developer.ts'
import type { World } from '../world.ts'
import { type Call, readCall } from './calls.ts'
import { answerCall } from './reviews.ts'
import { detailsPage, searchPage, type WireApp } from './wire.ts'

/**
 * Simulates Google Play in its formats: the RPCs for reviews and their edit history, app pages, and search. `source` of a request is
 * `batchexecute`, `history`, `details` or `search`. The scope of a fault may also be one RPC (`UsvDTd`, `oCPfdb`).
 */
export function handleGoogle(world: World, request: SimulatedRequest): SimulatedAnswer {
  if (isGooglePlayDeveloper(request.url)) return handleGooglePlayDeveloper(world, request)
  const url = new URL(request.url, 'https://play.google.com')
  const play = requestOf(request, url)
  const fault = play.rpcId === null ? null : world.consumeFault({ ...play.subject, source: play.rpcId })
  const answer = answerWith(world, request, url, play, fault ?? world.consumeFault(play.subject))
  world.logRequest({
    ...play.subject,
    method: request.method,
    url: `${url.pathname}${url.search}`,
    at: request.at,
    status: answer.drop === true ? null : answer.status,
  })
  return answer
}

type PlayRequest = {
  readonly subject: RequestSubject
  readonly call: Call | null
  readonly rpcId: string | null
}

function requestOf(request: SimulatedRequest, url: URL): PlayRequest {
  const language = (url.searchParams.get('hl') ?? 'en').toLowerCase().split(/[-_]/)[0] ?? 'en'
  const country = (url.searchParams.get('gl') ?? 'us').toLowerCase()
  const subject = { store: 'google' as const, appIds: [], market: country, page: null }
  if (request.method === 'POST' && url.pathname === '/_/PlayStoreUi/data/batchexecute') {
    const call = readCall(request.body, language)
    const source = call?.kind === 'history' ? 'history' : 'batchexecute'
    const appIds = call === null ? [] : [call.appId]
    const page = call?.kind === 'reviews' ? call.page : null
    return {
      subject: { ...subject, source, appIds, market: language, page },
      call,
      rpcId: call?.rpcId ?? null,
    }
  }
  if (request.method === 'GET' && url.pathname === '/store/apps/details') {
    const appIds = [url.searchParams.get('id') ?? '']
    return { subject: { ...subject, source: 'details', appIds }, call: null, rpcId: null }
  }
  const source = request.method === 'GET' && url.pathname === '/store/search' ? 'search' : 'unknown'
  return { subject: { ...subject, source }, call: null, rpcId: null }
}

function answerWith(
  world: World,
  request: SimulatedRequest,
  url: URL,
  play: PlayRequest,
  fault: Fault | null,
): SimulatedAnswer {
  const { subject, call } = play
  switch (fault?.kind) {
    case 'status':
      return statusAnswer(fault.status, fault.retryAfterSeconds)
    case 'html':
      return html(200, '<!doctype html><html><body>Something else is here today.</body></html>')
    case 'captcha':
      return html(200, '<!doctype html><html><body>We saw unusual traffic from you.</body></html>')
    case 'drop':
      return { status: 200, headers: {}, body: '', drop: true }
    case 'slow':
      return { ...answerWith(world, request, url, play, null), delayMs: fault.delayMs }
  }
  if (call !== null) return answerCall(world, call, url.searchParams.get('rt') === 'c', fault)
  switch (subject.source) {
    case 'batchexecute':
      return html(400, `)]}'\n\n[["er",null,null,null,null,400,null,null,null,3]]`)
    case 'details':
      return details(world, subject.appIds[0] ?? '', subject.market ?? '', fault)
    case 'search':
      return html(
        200,
        changedPage(search(world, url.searchParams.get('q') ?? '', subject.market ?? ''), fault),
      )
    default:
      return html(404, '<!doctype html><html><body>Not found</body></html>')
  }
}

/** A redirect leads to the consent page, as in the EU. */
function statusAnswer(status: number, retryAfterSeconds: number | undefined): SimulatedAnswer {
  const answer = html(status, `<!doctype html><html><body>Error ${status}</body></html>`)
  const more = {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(status >= 300 && status < 400 ? { location: 'https://consent.google.com/m?continue=play' } : {}),
  }
  return { ...answer, headers: { ...answer.headers, ...more } }
}

function details(world: World, appId: string, storefront: string, fault: Fault | null): SimulatedAnswer {
  const app = wireApp(world, appId, storefront)
  if (app === null || fault?.kind === 'gone') {
    return html(404, '<!doctype html><html><body>The requested URL was not found.</body></html>')
  }
  const shown = fault?.kind === 'zero_rating' ? { ...app, rating: null } : app
  return html(200, changedPage(detailsPage(shown), fault))
}

function search(world: World, term: string, storefront: string): string {
  const needle = term.trim().toLowerCase()
  const apps = world.apps('google').flatMap((app) => wireApp(world, app.appId, storefront) ?? [])
  const found = apps.filter(
    (app) => needle !== '' && `${app.name} ${app.developer} ${app.appId}`.toLowerCase().includes(needle),
  )
  const exact = found.find((app) => app.name.toLowerCase() === needle) ?? null
  return searchPage(
    term,
    exact,
    found.filter((app) => app !== exact),
  )
}

function wireApp(world: World, appId: string, storefront: string): WireApp | null {
  const app = world.app({ store: 'google', appId })
  if (app === null) return null
  return { ...app, rating: world.rating({ store: 'google', appId, storefront }) }
}

/** The same page in another format: other RPCs, other positions, no linked data. */
function changedPage(page: string, fault: Fault | null): string {
  if (fault?.kind !== 'changed') return page
  return page
    .replaceAll(/id:'\w+'/g, "id:'Zz9Zz9'")
    .replace('application/ld+json', 'application/json')
    .replaceAll("AF_initDataCallback({key: '", "AF_initDataCallback({slot: '")
}

function html(status: number, body: string): SimulatedAnswer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
