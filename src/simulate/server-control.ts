import { z } from 'zod'
import { STOREFRONTS, STORES } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Fault } from './fault.ts'
import { configure, connect, OFFICIAL_BODIES, revoke, writeReply } from './official/control.ts'
import { createReviewIds } from './review-ids.ts'
import type { World } from './world.ts'

/**
 * A JSON API under `/simulate/` that controls the simulated stores, for people and for tests in other processes. Names
 * are in snake_case, as in the service's own API.
 */

export type ControlAnswer = { readonly status: number; readonly body: unknown }

/** Maximum requests that the log returns, newest ones. */
const LOG_REQUESTS_MAX = 1000

const store = z.enum(STORES)
const text = z.string().min(1)
const stars = z.int().min(1).max(5)
const app = { store, app_id: text }
/** A storefront, or for Google reviews a language. */
const market = text

/** Faults without parameters. */
const PLAIN_FAULTS = [
  'transient_empty',
  'empty_shell',
  'null_payload',
  'gateway_error',
  'zero_rating',
  'changed',
  'html',
  'captcha',
  'drop',
  'unsorted',
  'gone',
] as const

const BODIES = {
  app: z.strictObject({ ...app, name: text, developer: text.default('Somebody'), icon_url: text.nullish() }),
  review: z.strictObject({
    ...app,
    market,
    rating: stars,
    title: z.string().nullish(),
    body: z.string(),
    author: z.string().nullish(),
    version: z.string().nullish(),
    id: text.optional(),
    published_at: z.iso.datetime({ offset: true }).optional(),
  }),
  edit: z.strictObject({
    ...app,
    market,
    review_id: text,
    rating: stars.optional(),
    title: z.string().nullish(),
    body: z.string().optional(),
  }),
  rating: z.strictObject({
    ...app,
    storefront: z.enum(STOREFRONTS),
    /** A text keeps its digits, such as 4.50. Null for both makes the app unrated. */
    average: z.union([z.number(), z.string().regex(/^[0-5](\.\d+)?$/)]).nullable(),
    count: z.int().min(0).nullable(),
  }),
  ...OFFICIAL_BODIES,
  fault: z.strictObject({
    store,
    source: text.optional(),
    app_id: text.optional(),
    market: market.optional(),
    times: z.int().min(1).optional(),
    fault: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('status'),
        status: z.int().min(300).max(599),
        retry_after_seconds: z.int().min(0).optional(),
      }),
      z.strictObject({ kind: z.literal('malformed_rows'), review_ids: z.array(text).min(1) }),
      z.strictObject({ kind: z.literal('frozen'), at: z.iso.datetime({ offset: true }) }),
      z.strictObject({ kind: z.literal('hole'), page: z.int().min(1) }),
      z.strictObject({ kind: z.literal('slow'), delay_ms: z.int().min(0).max(600_000) }),
      z.strictObject({ kind: z.enum(PLAIN_FAULTS) }),
    ]),
  }),
} as const

export type Control = (method: string, url: URL, body: string) => ControlAnswer

export function createControl(deps: { readonly world: World; readonly clock: Clock }): Control {
  const { world, clock } = deps
  const nextId = createReviewIds(Math.random)

  const actions = {
    app: (body: string) =>
      withBody(BODIES.app, body, ({ app_id, icon_url, ...rest }) => {
        world.addApp({ ...rest, appId: app_id, iconUrl: icon_url ?? null })
        return ok({})
      }),
    review: (body: string) =>
      withBody(BODIES.review, body, (input) => {
        const where = { store: input.store, appId: input.app_id, market: input.market }
        if (world.app(where) === null) return noApp(input.store, input.app_id)
        const publishedAt = input.published_at === undefined ? clock.now() : new Date(input.published_at)
        const id = input.id ?? nextId(input.store, publishedAt)
        world.addReview(where, {
          id,
          rating: input.rating,
          title: input.title ?? null,
          body: input.body,
          author: input.author ?? null,
          version: input.version ?? null,
          publishedAt,
        })
        return ok({ id, published_at: publishedAt.toISOString() })
      }),
    edit: (body: string) =>
      withBody(BODIES.edit, body, ({ store, app_id, market, review_id, ...change }) => {
        const where = { store, appId: app_id, market }
        if (!world.reviews(where).some((review) => review.id === review_id)) {
          return bad(`There is no review ${review_id} of ${store} ${app_id} in ${market}.`)
        }
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        world.editReview({ ...where, reviewId: review_id }, given, clock.now())
        return ok({})
      }),
    rating: (body: string) =>
      withBody(BODIES.rating, body, ({ store, app_id, storefront, average, count }) => {
        if (world.app({ store, appId: app_id }) === null) return noApp(store, app_id)
        if ((average === null) !== (count === null))
          return bad('average and count must both be null, or neither.')
        const rating = average === null || count === null ? null : { average: String(average), count }
        world.setRating({ store, appId: app_id, storefront }, rating)
        return ok({})
      }),
    connect: (body: string) => withBody(BODIES.connect, body, (input) => ok(connect(world, input))),
    revoke: (body: string) =>
      withBody(BODIES.revoke, body, (input) => {
        revoke(world, input)
        return ok({})
      }),
    reply: (body: string) =>
      withBody(BODIES.reply, body, (input) =>
        writeReply(world, input, clock.now())
          ? ok({})
          : bad(`There is no review ${input.review_id} of ${input.store} ${input.app_id}.`),
      ),
    settings: (body: string) =>
      withBody(BODIES.settings, body, (input) => {
        configure(world, input)
        return ok({})
      }),
    fault: (body: string) =>
      withBody(BODIES.fault, body, ({ app_id, fault, ...scope }) => {
        world.setFault({ ...scope, ...(app_id === undefined ? {} : { appId: app_id }) }, faultOf(fault))
        return ok({})
      }),
    clear_faults: () => {
      world.clearFaults()
      return ok({})
    },
  }

  return (method, url, body) => {
    const name = url.pathname.replace(/^\/simulate\/?/, '')
    if (method === 'GET' && name === '')
      return ok({ apps: STORES.flatMap(world.apps), posts: Object.keys(actions) })
    if (method === 'GET' && name === 'log') return ok({ requests: logOf(world, url) })
    const action = Object.hasOwn(actions, name) ? actions[name as keyof typeof actions] : undefined
    if (action === undefined)
      return { status: 404, body: { error: `There is no ${method} ${url.pathname}.` } }
    if (method !== 'POST') return { status: 405, body: { error: `${url.pathname} accepts only POST.` } }
    return action(body)
  }
}

function logOf(world: World, url: URL) {
  const wanted = STORES.find((one) => one === url.searchParams.get('store'))
  return world
    .requests(wanted)
    .slice(-LOG_REQUESTS_MAX)
    .map(({ appIds, ...rest }) => ({ ...rest, app_ids: appIds }))
}

type FaultInput = z.infer<typeof BODIES.fault>['fault']

function faultOf(input: FaultInput): Fault {
  switch (input.kind) {
    case 'status': {
      const { kind, status, retry_after_seconds } = input
      return {
        kind,
        status,
        ...(retry_after_seconds === undefined ? {} : { retryAfterSeconds: retry_after_seconds }),
      }
    }
    case 'slow':
      return { kind: 'slow', delayMs: input.delay_ms }
    case 'malformed_rows':
      return { kind: 'malformed_rows', reviewIds: input.review_ids }
    case 'frozen':
      return { kind: 'frozen', at: new Date(input.at) }
    default:
      return input
  }
}

function withBody<T extends z.ZodType>(
  schema: T,
  body: string,
  act: (value: z.infer<T>) => ControlAnswer,
): ControlAnswer {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return bad('The body is not JSON.')
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? act(parsed.data) : bad(z.prettifyError(parsed.error))
}

function ok(body: object): ControlAnswer {
  return { status: 200, body }
}

function bad(error: string): ControlAnswer {
  return { status: 400, body: { error } }
}

function noApp(wanted: string, appId: string): ControlAnswer {
  return bad(`There is no app ${appId} in ${wanted}: add it with POST /simulate/app.`)
}
