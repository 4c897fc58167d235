import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { faultAnswer, json } from '../official/fault-answer.ts'
import type { AppleKey } from '../official/official-world.ts'
import type { World, WorldApp } from '../world.ts'
import { authorize, countRequest } from './authorize.ts'
import { AGREEMENT_MISSING, badParameter, errorAnswer, errorOfStatus, FORBIDDEN, notFound } from './errors.ts'
import {
  createResponse,
  deleteResponse,
  findAnswered,
  findReview,
  includedOf,
  resourceOfResponse,
  responseOf,
} from './responses.ts'
import { listAnswer, PUBLIC_ORIGIN, resourceOf } from './reviews.ts'
import { findVersion, versionsAnswer } from './versions.ts'

const SOURCE = 'appstoreconnect'

export function isAppStoreConnect(url: string): boolean {
  return new URL(url, 'http://store.invalid').pathname.startsWith('/v1/')
}

/**
 * Simulates the App Store Connect API with the reviews of `world` and the keys of `world.official`, as documented in its
 * OpenAPI document, version 4.4.1. Logs every request with its time.
 */
export function handleAppStoreConnect(world: World, request: SimulatedRequest): SimulatedAnswer {
  const url = new URL(request.url, 'http://store.invalid')
  const appId = /^\/v1\/apps\/(\d+)\b/.exec(url.pathname)?.[1]
  const subject = {
    store: 'apple',
    source: SOURCE,
    appIds: appId === undefined ? [] : [appId],
    market: null,
    page: null,
  } as const
  const fault = world.consumeFault(subject)
  // The store's own clock, which the client can only see in the `Date` header.
  const at = new Date(request.at.getTime() + world.official.settings().clockSkewMs)
  const replaced = faultAnswer(fault, errorOfStatus)
  const answer = replaced ?? answerOf(world, request, url, at, fault)
  const dated = { ...answer, headers: { date: at.toUTCString(), ...answer.headers } }
  const status = answer.drop === true ? null : answer.status
  const logged = url.pathname + url.search
  world.logRequest({ ...subject, method: request.method, url: logged, at: request.at, status })
  return fault?.kind === 'slow' ? { ...dated, delayMs: fault.delayMs } : dated
}

function answerOf(
  world: World,
  request: SimulatedRequest,
  url: URL,
  at: Date,
  fault: Fault | null,
): SimulatedAnswer {
  const key = authorize(world, request, at)
  if ('status' in key) return errorAnswer(key)
  const { header, error } = countRequest(world, key, at)
  const answer =
    error !== null
      ? errorAnswer(error)
      : world.official.settings().agreementSigned
        ? route(world, request, url, key, at, fault)
        : errorAnswer(AGREEMENT_MISSING)
  return { ...answer, headers: { ...answer.headers, 'x-rate-limit': header } }
}

function route(
  world: World,
  request: SimulatedRequest,
  url: URL,
  key: AppleKey,
  at: Date,
  fault: Fault | null,
): SimulatedAnswer {
  const { method } = request
  const [, , resource = '', id = '', related = ''] = url.pathname.split('/').map(decodeURIComponent)
  const reaches = (appId: string) => key.appIds === null || key.appIds.includes(appId)
  const route = [method, resource, id === '' ? '' : '{id}', related].filter((part) => part !== '').join(' ')
  switch (route) {
    case 'GET apps':
      return appsAnswer(world, url, reaches)
    case 'GET apps {id}': {
      const app = world.app({ store: 'apple', appId: id })
      if (app === null || !reaches(id)) return errorAnswer(notFound('apps', id))
      return json(200, { data: appResource(app), links: { self: `${PUBLIC_ORIGIN}${url.pathname}` } })
    }
    case 'GET apps {id} appStoreVersions':
      if (world.app({ store: 'apple', appId: id }) === null || !reaches(id))
        return errorAnswer(notFound('apps', id))
      return mayRead(key) ? versionsAnswer(world, id, url) : errorAnswer(FORBIDDEN)
    case 'GET appStoreVersions {id} customerReviews': {
      const version = findVersion(world, id)
      if (version === null || !reaches(version.appId)) return errorAnswer(notFound('appStoreVersions', id))
      return mayRead(key)
        ? listAnswer(world, version.appId, url, at, fault, version.name)
        : errorAnswer(FORBIDDEN)
    }
    case 'GET apps {id} customerReviews':
      if (world.app({ store: 'apple', appId: id }) === null || !reaches(id) || fault?.kind === 'gone') {
        return errorAnswer(notFound('apps', id))
      }
      return mayRead(key) ? listAnswer(world, id, url, at, fault) : errorAnswer(FORBIDDEN)
    case 'GET customerReviews {id}': {
      if (!mayRead(key)) return errorAnswer(FORBIDDEN)
      const shown = findReview(world, id, reaches)
      if (shown === null) return errorAnswer(notFound('customerReviews', id))
      const includes = url.searchParams.get('include')?.split(',').includes('response') ?? false
      return json(200, {
        data: resourceOf(world, shown, includes, at),
        ...(includes ? { included: includedOf(world, shown, at) } : {}),
        links: { self: `${PUBLIC_ORIGIN}${url.pathname}` },
      })
    }
    case 'GET customerReviews {id} response':
    case 'GET customerReviewResponses {id}': {
      if (!mayRead(key)) return errorAnswer(FORBIDDEN)
      const found =
        resource === 'customerReviews' ? findReview(world, id, reaches) : findAnswered(world, id, reaches)
      const response = found === null ? null : responseOf(world, found, at)
      if (response === null) return errorAnswer(notFound('customerReviewResponses', id))
      return json(200, {
        data: resourceOfResponse(response),
        links: { self: `${PUBLIC_ORIGIN}${url.pathname}` },
      })
    }
    case 'POST customerReviewResponses':
      return mayReply(key) ? createResponse(world, request, reaches, at) : errorAnswer(FORBIDDEN)
    case 'DELETE customerReviewResponses {id}':
      return mayReply(key) ? deleteResponse(world, id, reaches) : errorAnswer(FORBIDDEN)
    case 'GET customerReviews':
      return errorAnswer({
        ...FORBIDDEN,
        detail: `The resource '${resource}' does not allow 'GET_COLLECTION'.`,
      })
    default:
      return errorAnswer(notFound(resource, id))
  }
}

const APP_PARAMETERS = ['limit', 'cursor', 'fields[apps]', 'filter[bundleId]', 'filter[id]', 'sort']

function appsAnswer(world: World, url: URL, reaches: (appId: string) => boolean): SimulatedAnswer {
  const query = url.searchParams
  const illegal = [...query.keys()].find((name) => !APP_PARAMETERS.includes(name))
  if (illegal !== undefined) return errorAnswer(badParameter(illegal, 'ILLEGAL'))
  const limit = Number(query.get('limit') ?? 50)
  const start = Number(query.get('cursor') ?? 0)
  const all = world.apps('apple').filter(({ appId }) => reaches(appId))
  const next = new URL(url)
  next.searchParams.set('cursor', String(start + limit))
  return json(200, {
    data: all.slice(start, start + limit).map(appResource),
    links: {
      self: `${PUBLIC_ORIGIN}${url.pathname}`,
      ...(start + limit < all.length ? { next: `${PUBLIC_ORIGIN}${next.pathname}${next.search}` } : {}),
    },
    meta: { paging: { total: all.length, limit } },
  })
}

function appResource({ appId, name }: WorldApp) {
  return {
    type: 'apps',
    id: appId,
    attributes: { name, bundleId: `com.example.app${appId}` },
    links: { self: `${PUBLIC_ORIGIN}/v1/apps/${appId}` },
  }
}

/** A key that only serves sales reports gets 403 (reported). */
function mayRead({ role }: AppleKey): boolean {
  return role !== 'SALES'
}

/** Apple documents Customer Support too, but a key with it was refused (reported 2024). */
function mayReply({ role }: AppleKey): boolean {
  return role === 'ADMIN'
}
