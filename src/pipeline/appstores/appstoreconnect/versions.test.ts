import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APPLE_APP,
  type OfficialStores,
  startOfficialStores,
} from '../../../../test/support/official-stores.ts'

const HOUR_MS = 3_600_000

/** Adds a review of a version an hour after the one before. Returns its id in App Store Connect. */
async function reviewsOf(stores: OfficialStores, versions: readonly (string | null)[]): Promise<string[]> {
  const { world, clock, apple, context } = stores
  versions.forEach((version, index) => {
    world.addReview(
      { store: 'apple', appId: APPLE_APP, market: 'us' },
      {
        ...{
          id: String(14_000_000_001 + index),
          rating: 3,
          title: null,
          body: `Text ${index}`,
          author: null,
          version,
        },
        publishedAt: new Date(clock.now().getTime() - (versions.length - index) * HOUR_MS),
      },
    )
  })
  const credentials = stores.appleCredentials()
  const page = await apple.reviewsPage({ credentials, appId: APPLE_APP, cursor: null }, context)
  assert.ok(page.kind === 'ok')
  assert.ok(page.reviews.every(({ appVersion }) => appVersion === null))
  return page.reviews.map(({ reviewId }) => reviewId).toReversed()
}

test('reviews of the newest versions get their version, and others have none', async () => {
  await using stores = await startOfficialStores()
  const { apple, context } = stores
  const ids = await reviewsOf(stores, ['1.0', null, '1.1', '2.0', '1.1', '2.1'])
  const query = { credentials: stores.appleCredentials(), appId: APPLE_APP, reviewIds: ids }
  const found = await apple.appVersions(query, context)
  assert.deepEqual(
    ids.map((id) => found.get(id)),
    [undefined, undefined, '1.1', '2.0', '1.1', '2.1'],
  )
})

test('versions are asked only until all reviews are found, and listed once in a while', async () => {
  await using stores = await startOfficialStores()
  const { apple, context, exchanges } = stores
  const ids = await reviewsOf(stores, ['1.0', '1.1', '2.0'])
  const credentials = stores.appleCredentials()
  const before = exchanges.length
  const of = (reviewIds: readonly string[]) =>
    apple.appVersions({ credentials, appId: APPLE_APP, reviewIds }, context)
  const requests = () =>
    exchanges.slice(before).map(({ request }) => new URL(request.url).pathname.split('/').at(-1))
  assert.deepEqual(await of([]), new Map())
  assert.deepEqual(requests(), [])
  await of([ids[2] ?? ''])
  await of([ids[2] ?? ''])
  assert.deepEqual(requests(), ['appStoreVersions', 'customerReviews', 'customerReviews'])
  stores.clock.leap(20 * 60_000)
  await of([ids[2] ?? ''])
  assert.deepEqual(requests().slice(3), ['appStoreVersions', 'customerReviews'])
})

test('a store that does not answer leaves reviews without a version', async () => {
  await using stores = await startOfficialStores()
  const { apple, context, world } = stores
  const [id = ''] = await reviewsOf(stores, ['1.0'])
  const query = { credentials: stores.appleCredentials(), appId: APPLE_APP, reviewIds: [id] }
  for (const fault of [{ kind: 'status', status: 403 }, { kind: 'html' }, { kind: 'drop' }] as const) {
    world.setFault({ store: 'apple' }, fault)
    assert.deepEqual(await apple.appVersions(query, context), new Map(), fault.kind)
    world.clearFaults()
  }
  assert.deepEqual(await apple.appVersions(query, context), new Map([[id, '1.0']]))
})
