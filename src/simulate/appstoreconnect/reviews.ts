import type { SimulatedAnswer } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { json } from '../official/fault-answer.ts'
import type { World } from '../world.ts'
import { badParameter, errorAnswer } from './errors.ts'
import { pacificTime } from './pacific-time.ts'
import { includedOf, responseOf } from './responses.ts'
import { type ShownReview, shownReviews } from './shown-reviews.ts'
import { isTerritory } from './territories.ts'

export const PUBLIC_ORIGIN = 'https://api.appstoreconnect.apple.com'

const LIMIT = { default: 50, max: 200 } as const
const PARAMETERS = [
  'sort',
  'limit',
  'cursor',
  'include',
  'filter[rating]',
  'filter[territory]',
  'filter[reviewTerritory]',
  'exists[publishedResponse]',
  'fields[customerReviews]',
  'fields[customerReviewResponses]',
  'fields[territories]',
]

const ORDERS: Readonly<Record<string, (a: ShownReview, b: ShownReview) => number>> = {
  createdDate: (a, b) => a.createdAt.getTime() - b.createdAt.getTime(),
  '-createdDate': (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
  rating: (a, b) => a.review.rating - b.review.rating,
  '-rating': (a, b) => b.review.rating - a.review.rating,
}

/**
 * `GET /v1/apps/{id}/customerReviews`, or `/v1/appStoreVersions/{id}/customerReviews` with a version. Without `sort` the order is
 * undocumented: here the oldest first. Apple does not describe `filter[reviewTerritory]`: here it is as `filter[territory]`.
 */
export function listAnswer(
  world: World,
  appId: string,
  url: URL,
  at: Date,
  fault: Fault | null,
  version: string | null = null,
): SimulatedAnswer {
  const query = url.searchParams
  const illegal = [...query.keys()].find((name) => !PARAMETERS.includes(name))
  if (illegal !== undefined) return errorAnswer(badParameter(illegal, 'ILLEGAL'))
  const limit = Number(query.get('limit') ?? LIMIT.default)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT.max)
    return errorAnswer(badParameter('limit', 'INVALID'))
  const order = ORDERS[query.get('sort') ?? 'createdDate']
  if (order === undefined) return errorAnswer(badParameter('sort', 'INVALID'))
  const territories = listOf(query.get('filter[territory]') ?? query.get('filter[reviewTerritory]'))
  if (territories?.some((code) => !isTerritory(code))) {
    return errorAnswer(badParameter('filter[territory]', 'INVALID'))
  }
  const ratings = listOf(query.get('filter[rating]'))
  const answered = query.get('exists[publishedResponse]')
  const all = shownReviews(world, appId, fault)
    .filter(({ review }) => version === null || review.version === version)
    .filter(({ territory }) => territories === null || territories.includes(territory))
    .filter(({ review }) => ratings === null || ratings.includes(String(review.rating)))
    .filter(
      (shown) =>
        answered === null || (responseOf(world, shown, at)?.state === 'PUBLISHED') === (answered === 'true'),
    )
    .sort((a, b) => order(a, b) || (a.id < b.id ? 1 : -1))
  const cursor = query.get('cursor')
  const after = cursor === null ? -1 : all.findIndex(({ id }) => id === cursorId(cursor))
  // A cursor stays valid when its review disappears: it continues at the same date.
  const start =
    cursor === null ? 0 : after >= 0 ? after + 1 : all.findIndex((one) => one.createdAt <= cursorDate(cursor))
  const page = start < 0 ? [] : all.slice(start, start + limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && start + page.length < all.length
  const includes = listOf(query.get('include'))?.includes('response') ?? false
  return json(200, {
    data: page.map((shown) => withFields(resourceOf(world, shown, includes, at), query)),
    ...(includes ? { included: page.flatMap((shown) => includedOf(world, shown, at)) } : {}),
    links: {
      self: linkOf(url, null),
      ...(hasMore ? { next: linkOf(url, cursorOf(last)) } : {}),
    },
    meta: { paging: { total: all.length, limit } },
  })
}

export function resourceOf(world: World, shown: ShownReview, includes: boolean, at: Date) {
  const { id, review, territory, createdAt } = shown
  const self = `${PUBLIC_ORIGIN}/v1/customerReviews/${id}`
  const response = responseOf(world, shown, at)
  const data = response === null ? null : { type: 'customerReviewResponses', id: response.id }
  const links = { self: `${self}/relationships/response`, related: `${self}/response` }
  return {
    type: 'customerReviews',
    id,
    attributes: {
      rating: review.rating,
      ...(review.title === null ? {} : { title: review.title }),
      body: review.body,
      ...(review.author === null ? {} : { reviewerNickname: review.author }),
      createdDate: pacificTime(createdAt),
      territory,
    },
    relationships: { response: includes ? { data, links } : { links } },
    links: { self },
  }
}

/** The resource with only the attributes of `fields[customerReviews]`. */
function withFields<Resource extends { readonly attributes: object }>(
  resource: Resource,
  query: URLSearchParams,
): Resource {
  const fields = listOf(query.get('fields[customerReviews]'))
  if (fields === null) return resource
  const given = Object.entries(resource.attributes).filter(([name]) => fields.includes(name))
  return { ...resource, attributes: Object.fromEntries(given) }
}

/** The link to a page: the parameters of the request sorted by name, with encoded brackets. */
function linkOf(url: URL, cursor: string | null): string {
  const query = new URLSearchParams(url.searchParams)
  if (cursor !== null) query.set('cursor', cursor)
  query.sort()
  return `${PUBLIC_ORIGIN}${url.pathname}?${query}`
}

function cursorOf({ id, createdAt }: ShownReview): string {
  return `AQ.${Buffer.from(JSON.stringify([id, createdAt.getTime()])).toString('base64url')}`
}

function cursorId(cursor: string): string {
  return String(cursorParts(cursor)[0])
}

function cursorDate(cursor: string): Date {
  return new Date(Number(cursorParts(cursor)[1]))
}

function cursorParts(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor.slice(3), 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function listOf(value: string | null): string[] | null {
  return value === null ? null : value.split(',')
}
