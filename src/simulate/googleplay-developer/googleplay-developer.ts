import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { faultAnswer } from '../official/fault-answer.ts'
import type { Grant } from '../official/official-world.ts'
import type { World } from '../world.ts'
import {
  API_DISABLED,
  errorAnswer,
  errorOfStatus,
  INVALID_TOKEN,
  noApp,
  noPermission,
  quotaExceeded,
} from './errors.ts'
import { listAnswer, oneAnswer, replyAnswer } from './reviews.ts'
import { storageAnswer } from './storage.ts'
import { oauthError, tokenAnswer } from './token.ts'

const REVIEWS_SCOPE = 'https://www.googleapis.com/auth/androidpublisher'
const STORAGE_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only'
const HOUR_MS = 60 * 60_000

type Source = 'googleplay-developer' | 'oauth' | 'storage'

export function isGooglePlayDeveloper(url: string): boolean {
  return sourceOf(new URL(url, 'http://store.invalid').pathname) !== null
}

function sourceOf(pathname: string): Source | null {
  if (pathname.startsWith('/androidpublisher/v3/')) return 'googleplay-developer'
  if (pathname === '/token') return 'oauth'
  return pathname.startsWith('/storage/v1/') ? 'storage' : null
}

/**
 * Simulates the Google Play Developer API (revision 2026-09), the token endpoint and Cloud Storage with the reviews of
 * `world` and the accounts of `world.official`. Logs every request with its time.
 */
export function handleGooglePlayDeveloper(world: World, request: SimulatedRequest): SimulatedAnswer {
  const url = new URL(request.url, 'http://store.invalid')
  const source = sourceOf(url.pathname) ?? 'googleplay-developer'
  const appId = /^\/androidpublisher\/v3\/applications\/([^/]+)\//.exec(url.pathname)?.[1]
  const subject = {
    store: 'google',
    source,
    appIds: appId === undefined ? [] : [decodeURIComponent(appId)],
    market: null,
    page: null,
  } as const
  const fault = world.consumeFault(subject)
  const at = new Date(request.at.getTime() + world.official.settings().clockSkewMs)
  const answer =
    faultAnswer(fault, source === 'oauth' ? oauthErrorOfStatus : errorOfStatus) ??
    answerOf(world, source, request, url, at, fault)
  const dated = { ...answer, headers: { date: at.toUTCString(), ...answer.headers } }
  const status = answer.drop === true ? null : answer.status
  const logged = url.pathname + url.search
  world.logRequest({ ...subject, method: request.method, url: logged, at: request.at, status })
  return fault?.kind === 'slow' ? { ...dated, delayMs: fault.delayMs } : dated
}

function answerOf(
  world: World,
  source: Source,
  request: SimulatedRequest,
  url: URL,
  at: Date,
  fault: Fault | null,
): SimulatedAnswer {
  if (source === 'oauth') return tokenAnswer(world, request, at)
  const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const grant = world.official.grant(bearer)
  if (grant === null || grant.expiresAt <= at) return errorAnswer(INVALID_TOKEN)
  // An account that was changed meanwhile counts as it is now.
  const account = world.official.serviceAccount(grant.account.clientEmail)
  if (account === null) return errorAnswer(INVALID_TOKEN)
  const current = { ...grant, account }
  return source === 'storage'
    ? grant.scopes.includes(STORAGE_SCOPE)
      ? storageAnswer(world, request, url, account, at)
      : errorAnswer(noPermission(403))
    : reviewsAnswer(world, request, url, current, at, fault)
}

function reviewsAnswer(
  world: World,
  request: SimulatedRequest,
  url: URL,
  { account, scopes }: Grant,
  at: Date,
  fault: Fault | null,
): SimulatedAnswer {
  const settings = world.official.settings()
  const found = /^\/androidpublisher\/v3\/applications\/([^/]+)\/reviews(?:\/([^/]+))?$/.exec(url.pathname)
  const appId = decodeURIComponent(found?.[1] ?? '')
  const last = found?.[2] === undefined ? null : decodeURIComponent(found[2])
  if (!scopes.includes(REVIEWS_SCOPE)) return errorAnswer(noPermission(403))
  if (!account.apiEnabled) return errorAnswer(API_DISABLED)
  if (world.app({ store: 'google', appId }) === null || fault?.kind === 'gone')
    return errorAnswer(noApp(appId))
  if (!account.appIds.includes(appId)) return errorAnswer(noPermission(settings.googlePermissionStatus))
  if (request.method === 'POST') {
    if (last === null || !last.endsWith(':reply')) return errorOfStatus(404)
    const replies = world.official.count(`google/replies/${appId}`, 24 * HOUR_MS, at)
    if (replies > settings.googleRepliesPerDay) return errorAnswer(quotaExceeded(settings.googleQuotaStatus))
    return replyAnswer(world, appId, last.slice(0, -':reply'.length), request, at)
  }
  const reads = world.official.count(`google/reads/${appId}`, HOUR_MS, at)
  if (reads > settings.googleReadsPerHour) return errorAnswer(quotaExceeded(settings.googleQuotaStatus))
  return last === null ? listAnswer(world, appId, url, at, fault) : oneAnswer(world, appId, last, url, fault)
}

function oauthErrorOfStatus(status: number): SimulatedAnswer {
  return status === 429
    ? oauthError(429, 'rate_limit_exceeded', 'Too many requests.')
    : oauthError(status, status < 500 ? 'invalid_grant' : 'internal_failure', 'The request failed.')
}
