import { createHash } from 'node:crypto'
import { z } from 'zod'
import { reviewFilter } from '../../contract/v1/reviews.ts'
import type { AccountGuard } from '../../operations/limits.ts'
import type { Operations } from '../../operations/operations.ts'
import { notFound, type RouteGroup } from '../add-routes.ts'
import { type Route, route } from '../route.ts'
import { publicFilterOf } from '../v1/reviews.ts'
import { atomDocument } from './document.ts'

export type AtomRouteDeps = {
  readonly operations: Pick<Operations, 'atomFeeds'>
  readonly limits: Pick<AccountGuard, 'apiRequest'>
  readonly publicUrl: () => string
}

const LIMIT = { min: 1, max: 200, default: 50 } as const
const limit = `limit must be a whole number from ${LIMIT.min} to ${LIMIT.max}.`
/** The address decides the app. */
const Query = reviewFilter
  .omit({ store: true, app_id: true, status: true, assignee: true, tag: true })
  .extend({
    limit: z.coerce
      .number(limit)
      .int(limit)
      .min(LIMIT.min, limit)
      .max(LIMIT.max, limit)
      .default(LIMIT.default),
  })

/** The token in the address is the only credential. */
export const atomGroup: RouteGroup = { prefix: '', authenticate: async () => null }

/** Addresses of Atom feeds. An unknown or revoked one is answered like any unknown path. */
export function atomRoutes({ operations: { atomFeeds }, limits, publicUrl }: AtomRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/atom/:token',
      access: 'anyone',
      query: Query,
      async run({ param, query, request, reply }) {
        const feed = await atomFeeds.find(param('token'))
        if (feed === null) throw notFound()
        limits.apiRequest(feed.accountId)
        const content = await atomFeeds.read(feed, publicFilterOf(query), query.limit)
        const queryAt = request.url.indexOf('?')
        const filters = queryAt === -1 ? '' : request.url.slice(queryAt)
        const ownUrl = `${atomUrl(publicUrl(), param('token'))}${filters}`
        const document = atomDocument(content, publicUrl(), ownUrl)
        const tag = `"${createHash('sha256').update(document).digest('base64url')}"`
        reply.headers({ etag: tag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
        const known = (request.headers['if-none-match'] ?? '').split(',')
        if (known.some((each) => each.trim().replace(/^W\//, '') === tag)) return reply.code(304).send()
        return reply.type('application/atom+xml; charset=utf-8').send(document)
      },
    }),
  ]
}

/** The address of a feed. */
export function atomUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}/atom/${token}`
}
