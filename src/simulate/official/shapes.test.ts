import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { z } from 'zod'
import {
  APP_STORE_CONNECT,
  APP_STORE_CONNECT_QUERIES,
  GOOGLE,
  GOOGLE_PLAY_DEVELOPER,
} from '../../../test/support/official-shapes.ts'
import {
  APPLE_APP,
  addReviews,
  GOOGLE_APP,
  type OfficialStores,
  startOfficialStores,
} from '../../../test/support/official-stores.ts'

const BUCKET = 'pubsite_prod_rev_1'

test('answers of the simulated App Store Connect, and the requests to it, have the documented shapes', async () => {
  await using stores = await startOfficialStores()
  const { apple, context, world, clock } = stores
  addReviews(world, { store: 'apple', appId: APPLE_APP, market: 'us' }, 210, { now: clock.now() })
  const [one = ''] = addReviews(world, { store: 'apple', appId: APPLE_APP, market: 'de' }, 1, {
    now: clock.now(),
    firstId: 15_000_000_001,
  })
  world.official.setReply(
    { store: 'apple', appId: APPLE_APP, reviewId: one },
    { id: 'answer-1', text: 'Thanks', writtenAt: new Date(clock.now().getTime() - 3_600_000) },
  )
  const credentials = stores.appleCredentials()
  const app = { credentials, appId: APPLE_APP }
  await apple.check({ credentials, appIds: [] }, context)
  const page = await apple.reviewsPage({ ...app, cursor: null }, context)
  assert.ok(page.kind === 'ok')
  await apple.reviewsPage({ ...app, cursor: page.next }, context)
  const versions = await apple.appVersions({ ...app, reviewIds: [page.reviews[1]?.reviewId ?? ''] }, context)
  assert.equal(versions.size, 1)
  const review = { ...app, reviewId: page.reviews[5]?.reviewId ?? '' }
  await apple.reply({ ...review, text: 'Hello', replaces: null }, context)
  await apple.review(review, context)
  await apple.deleteReply(review, context)
  // Errors.
  await apple.review({ ...review, reviewId: 'unknown' }, context)
  await apple.reviewsPage({ ...app, appId: '1', cursor: null }, context)
  const bad = `/v1/apps/${APPLE_APP}/customerReviews?sort=date&filter[territory]=us`
  await apple.reviewsPage({ ...app, cursor: bad }, context)
  await apple.check({ credentials: { ...credentials, keyId: 'ZZZZZZZZZZ' }, appIds: [] }, context)
  await apple.check({ credentials: stores.appleCredentials({ role: 'SALES' }), appIds: [] }, context)
  for (const status of [400, 403, 404, 429, 500]) {
    world.setFault({ store: 'apple', times: 2 }, { kind: 'status', status })
    await apple.reviewsPage({ ...app, cursor: null }, context)
    world.clearFaults()
  }
  world.official.configure({ agreementSigned: false })
  await apple.reviewsPage({ ...app, cursor: null }, context)

  const statuses = new Set<number>()
  for (const { request, answer } of stores.exchanges) {
    assert.ok(answer.kind === 'answered')
    statuses.add(answer.status)
    const url = new URL(request.url)
    const path = url.pathname.replace(
      /\/(apps|appStoreVersions|customerReviews|customerReviewResponses)\/[^/]+/,
      '/$1/{id}',
    )
    const allowed: readonly string[] =
      Object.entries(APP_STORE_CONNECT_QUERIES).find(([of]) => of === path)?.[1] ?? []
    const isTestOfErrors = url.search.includes('sort=date')
    if (!isTestOfErrors)
      for (const name of url.searchParams.keys()) assert.ok(allowed.includes(name), `${path} ${name}`)
    if (request.body !== undefined) {
      assertShape(APP_STORE_CONNECT.CustomerReviewResponseV1CreateRequest, String(request.body), 'request')
    }
    if (answer.status === 204) continue
    const name =
      answer.status >= 400
        ? 'ErrorResponse'
        : (
            {
              '/v1/apps': 'AppsResponse',
              '/v1/apps/{id}/customerReviews': 'CustomerReviewsResponse',
              '/v1/apps/{id}/appStoreVersions': 'AppStoreVersionsResponse',
              '/v1/appStoreVersions/{id}/customerReviews': 'CustomerReviewsResponse',
              '/v1/customerReviews/{id}': 'CustomerReviewResponse',
              '/v1/customerReviewResponses': 'CustomerReviewResponseV1Response',
            } as const
          )[path]
    assert.ok(name !== undefined, path)
    assertShape(
      APP_STORE_CONNECT[name],
      answer.body.toString('utf8'),
      `${request.method} ${path} ${answer.status}`,
    )
  }
  assert.deepEqual([...statuses].sort(), [200, 201, 204, 400, 401, 403, 404, 429, 500])
})

test('answers of the simulated Google APIs, and the requests to them, have the documented shapes', async () => {
  await using stores = await startOfficialStores()
  const { google, context, world, clock } = stores
  addReviews(world, { store: 'google', appId: GOOGLE_APP, market: 'en' }, 140, { now: clock.now() })
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const app = { credentials, appId: GOOGLE_APP }
  await google.check({ credentials, appIds: [GOOGLE_APP, 'com.example.none'] }, context)
  const page = await google.reviewsPage({ ...app, cursor: null }, context)
  assert.ok(page.kind === 'ok')
  await google.reviewsPage({ ...app, cursor: page.next }, context)
  const review = { ...app, reviewId: page.reviews[5]?.reviewId ?? '' }
  await google.reply({ ...review, text: 'Hello', replaces: null }, context)
  await google.review(review, context)
  await google.review({ ...review, reviewId: 'unknown' }, context)
  await google.history({ ...app, cursor: null }, context)
  // Errors.
  await google.check({ credentials: { ...credentials, clientEmail: 'x@y' }, appIds: [GOOGLE_APP] }, context)
  await google.check({ credentials: { ...credentials, reportsBucket: 'other-bucket' }, appIds: [] }, context)
  const disabled = stores.googleCredentials({ appIds: [GOOGLE_APP], apiEnabled: false })
  await google.check({ credentials: disabled, appIds: [GOOGLE_APP] }, context)
  for (const change of [
    { googlePermissionStatus: 401 },
    { googlePermissionStatus: 403 },
    { googleReadsPerHour: 0, googleQuotaStatus: 403 },
    { googleReadsPerHour: 0, googleQuotaStatus: 429 },
  ] as const) {
    world.official.configure(change)
    const appIds = 'googleReadsPerHour' in change ? [GOOGLE_APP] : []
    await google.check({ credentials: stores.googleCredentials({ appIds }), appIds: [GOOGLE_APP] }, context)
  }
  for (const status of [401, 404, 500]) {
    world.setFault({ store: 'google', times: 2 }, { kind: 'status', status })
    await google.reviewsPage({ ...app, cursor: null }, context)
    world.clearFaults()
  }

  const statuses = new Set<number>()
  for (const { request, answer } of stores.exchanges) {
    assert.ok(answer.kind === 'answered')
    statuses.add(answer.status)
    const { pathname } = new URL(request.url)
    const label = `${request.method} ${pathname} ${answer.status}`
    if (pathname.endsWith(':reply')) {
      assertShape(GOOGLE_PLAY_DEVELOPER.ReviewsReplyRequest, String(request.body), label)
    }
    const shape = shapeOf(pathname, answer.status)
    if (shape !== null) assertShape(shape, answer.body.toString('utf8'), label)
  }
  assert.deepEqual([...statuses].sort(), [200, 206, 400, 401, 403, 404, 429, 500])
})

/** Null for the bytes of a file. */
function shapeOf(pathname: string, status: number): z.ZodType | null {
  if (pathname === '/token') return status === 200 ? GOOGLE.token : GOOGLE.tokenError
  if (status >= 400) return GOOGLE.error
  if (pathname.startsWith('/storage/')) return pathname.endsWith('/o') ? GOOGLE.objects : null
  if (pathname.endsWith(':reply')) return GOOGLE_PLAY_DEVELOPER.ReviewsReplyResponse
  return pathname.endsWith('/reviews')
    ? GOOGLE_PLAY_DEVELOPER.ReviewsListResponse
    : GOOGLE_PLAY_DEVELOPER.Review
}

function assertShape(shape: z.ZodType, text: string, label: string): void {
  const result = shape.safeParse(JSON.parse(text))
  assert.ok(result.success, `${label}: ${result.error?.message}\n${text.slice(0, 500)}`)
}

test('times are as Apple writes them, in summer and in winter', async () => {
  await using stores: OfficialStores = await startOfficialStores()
  const where = { store: 'apple', appId: APPLE_APP, market: 'us' } as const
  const review = { rating: 5, title: null, body: 'x', author: null, version: null }
  stores.world.addReview(where, { ...review, id: '1', publishedAt: new Date('2026-01-05T07:59:59Z') })
  stores.world.addReview(where, { ...review, id: '2', publishedAt: new Date('2026-07-05T07:00:00Z') })
  const query = { credentials: stores.appleCredentials(), appId: APPLE_APP, cursor: null }
  await stores.apple.reviewsPage(query, stores.context)
  const [exchange] = stores.exchanges
  assert.ok(exchange?.answer.kind === 'answered')
  const { data } = APP_STORE_CONNECT.CustomerReviewsResponse.parse(
    JSON.parse(exchange.answer.body.toString('utf8')),
  )
  assert.deepEqual(
    data.map(({ attributes }) => attributes?.createdDate),
    ['2026-07-05T00:00:00-07:00', '2026-01-04T23:59:59-08:00'],
  )
})
