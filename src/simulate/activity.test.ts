import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketOf } from '../model/market.ts'
import { STOREFRONTS, STORES, type Store } from '../model/vocabulary.ts'
import type { Clock } from '../runtime/clock.ts'
import { instantOf } from '../runtime/instant.ts'
import { type ActivityOptions, startActivity } from './activity.ts'
import { createRandom } from './random.ts'
import { createWriter, TEXT_LANGUAGES, textsOf } from './review-texts.ts'
import { NEWEST_RELEASE_DAYS_AGO, SIMULATED_APPS, versionsInUse } from './simulated-apps.ts'
import { createWorld, shownAtOf, type World } from './world.ts'

const start = new Date('2026-07-01T12:00:00Z').getTime()

test('every market has old reviews at the start', () => {
  const { world } = begin({ seed: 1 })
  for (const app of SIMULATED_APPS) {
    for (const store of STORES) {
      const reviews = reviewsOf(world, app.appIds[store], store)
      assert.equal(reviews.length, app.oldReviews)
      assert.ok(reviews.length >= 100)
      assert.ok(reviews.every((review) => start - review.publishedAt.getTime() >= 3_600_000))
      for (const storefront of STOREFRONTS) {
        const rating = world.rating({ store, appId: app.appIds[store], storefront })
        assert.ok(
          rating !== null && rating.count > 0 && Number(rating.average) > 3 && Number(rating.average) < 5,
        )
      }
    }
  }
  const [first] = SIMULATED_APPS
  const pages = (store: Store, market: string) =>
    world.reviews({ store, appId: first?.appIds[store] ?? '', market }).length
  assert.ok(pages('apple', 'us') > 50, 'the first app fills a page of Apple')
  assert.ok(pages('google', 'en') > 150, 'the first app fills a page of Google')
})

test('each store has a review within two seconds and a rating drop within five', async () => {
  const { world, run } = begin({ seed: 7, reviewsPerMinute: 1 })
  const [first] = SIMULATED_APPS
  assert.ok(first)
  const before = STORES.map((store) => ratingOf(world, first.appIds[store], store))
  await run(2_000)
  for (const store of STORES) {
    const market = marketOf(store, 'reviews', 'us')
    const [newest] = world.reviews({ store, appId: first.appIds[store], market })
    assert.ok(newest !== undefined && newest.publishedAt.getTime() >= start, store)
  }
  await run(5_000)
  STORES.forEach((store, index) => {
    const drop = (before[index] ?? 0) - ratingOf(world, first.appIds[store], store)
    assert.ok(drop > 0.09 && drop < 0.4, `${store} dropped by ${drop}`)
  })
})

test('reviews arrive at about the configured rate in all storefronts, and some are edited', async () => {
  const { world, run } = begin({ seed: 3, reviewsPerMinute: 600 })
  await run(120_000)
  const fresh = everyReview(world).filter(({ review }) => review.publishedAt.getTime() >= start)
  assert.ok(fresh.length > 1_000 && fresh.length < 1_400, String(fresh.length))
  assert.equal(new Set(fresh.filter((one) => one.store === 'apple').map((one) => one.market)).size, 16)
  assert.equal(new Set(fresh.filter((one) => one.store === 'google').map((one) => one.market)).size, 10)
  assert.equal(new Set(fresh.map(({ review }) => review.id)).size, fresh.length)
  const edited = everyReview(world).filter(({ review }) => review.editedAt !== null)
  assert.ok(edited.length >= 2, String(edited.length))
  assert.ok(edited.every(({ review }) => review.history.length > 0 && shownAtOf(review).getTime() >= start))
})

test('ratings stay between 1 and 5 over a day of drops and recoveries', async () => {
  const { world, run } = begin({ seed: 5, reviewsPerMinute: 1 })
  await run(24 * 3_600_000)
  for (const app of SIMULATED_APPS) {
    for (const store of STORES) {
      const average = ratingOf(world, app.appIds[store], store)
      // Each rating drops hundreds of times on such a day and recovers every time.
      assert.ok(average > 3 && average < 5, `${app.name} ${store} ${average}`)
    }
  }
})

test('a suspended machine causes no burst afterwards', async () => {
  const world = createWorld()
  const stop = new AbortController()
  let now = start
  const sleptMs = 8 * 3_600_000
  const clock: Clock = {
    now: () => instantOf(now),
    monotonicMs: () => now,
    sleep: async (ms) => {
      now += now === start ? sleptMs : ms
      if (now > start + sleptMs + 60_000) stop.abort()
    },
  }
  await startActivity(world, { clock, reviewsPerMinute: 60, seed: 2, signal: stop.signal }).done
  const fresh = everyReview(world).filter(({ review }) => review.publishedAt.getTime() >= start)
  assert.ok(fresh.length > 40 && fresh.length < 90, String(fresh.length))
})

test('the same seed gives the same activity, another seed a different one', async () => {
  const activityOf = async (seed: number) => {
    const { world, run } = begin({ seed, reviewsPerMinute: 60 })
    await run(30_000)
    return JSON.stringify([
      everyReview(world),
      SIMULATED_APPS.map((app) => ratingOf(world, app.appIds.apple, 'apple')),
    ])
  }
  assert.equal(await activityOf(11), await activityOf(11))
  assert.notEqual(await activityOf(11), await activityOf(12))
})

test('the activity starts when `startWhen` resolves', async () => {
  let begun: (value: unknown) => void = () => {}
  const startWhen = new Promise((resolve) => {
    begun = resolve
  })
  const { world, run } = begin({ seed: 1, startWhen })
  const fresh = () => everyReview(world).filter(({ review }) => review.publishedAt.getTime() >= start).length
  await Promise.resolve()
  assert.equal(fresh(), 0)
  begun(undefined)
  await run(3_000)
  assert.ok(fresh() > 0)
})

test('the activity calms down after a while', async () => {
  const { world, run } = begin({ seed: 1, calm: { afterMs: 60_000, reviewsPerMinute: 6 } })
  const fresh = () => everyReview(world).filter(({ review }) => review.publishedAt.getTime() >= start).length
  await run(60_000)
  const lively = fresh()
  await run(11 * 60_000)
  const calm = fresh() - lively
  assert.ok(lively > 45 && calm > 45 && calm < 75, `${lively} ${calm}`)
})

test('a rate of zero reviews per minute is rejected', () => {
  assert.throws(() => begin({ seed: 1, reviewsPerMinute: 0 }), RangeError)
})

test('each language has at least 25 different texts for one to five stars', () => {
  for (const language of TEXT_LANGUAGES) {
    const texts = textsOf(language)
    assert.ok(texts.length >= 25, `${language} has ${texts.length}`)
    assert.equal(new Set(texts.map((text) => text.body)).size, texts.length, language)
    assert.deepEqual([...new Set(texts.map((text) => text.stars))].sort(), [1, 2, 3, 4, 5], language)
    assert.ok(
      texts.every((text) => text.body.length > 0 && text.title !== ''),
      language,
    )
  }
})

test('a writer uses every text of a language before it repeats one', () => {
  const writer = createWriter(createRandom(1))
  const count = textsOf('ko').length
  const given = Array.from({ length: count }, () => writer.text('App', 'ko').body)
  assert.equal(new Set(given).size, count)
})

function begin(
  options: { seed: number } & Partial<Pick<ActivityOptions, 'calm' | 'reviewsPerMinute' | 'startWhen'>>,
) {
  const world = createWorld()
  const stop = new AbortController()
  const clock = skippingClock(stop)
  const activity = startActivity(world, { reviewsPerMinute: 60, ...options, clock, signal: stop.signal })
  // Time advances only in `run`.
  return {
    world,
    run: async (untilMs: number) => {
      clock.allow(start + untilMs)
      await Promise.race([clock.reached(), activity.done])
    },
  }
}

/** A clock that skips every sleep, up to a given instant. */
function skippingClock(
  stop: AbortController,
): Clock & { allow: (until: number) => void; reached: () => Promise<void> } {
  let now = start
  let limit = start
  let woken: (() => void) | null = null
  let reached: () => void = () => {}
  return {
    now: () => instantOf(now),
    monotonicMs: () => now,
    sleep: async (ms) => {
      const due = now + ms
      while (due > limit) {
        reached()
        await new Promise<void>((resolve) => {
          woken = resolve
        })
        if (stop.signal.aborted) return
      }
      now = due
    },
    allow: (until) => {
      limit = until
      woken?.()
    },
    reached: () =>
      new Promise((resolve) => {
        reached = resolve
      }),
  }
}

function everyReview(world: World) {
  return STORES.flatMap((store) =>
    SIMULATED_APPS.flatMap((app) =>
      marketsOf(store).flatMap((market) =>
        world
          .reviews({ store, appId: app.appIds[store], market })
          .map((review) => ({ store, market, review })),
      ),
    ),
  )
}

function reviewsOf(world: World, appId: string, store: Store) {
  return marketsOf(store).flatMap((market) => world.reviews({ store, appId, market }))
}

function marketsOf(store: Store): string[] {
  return [...new Set(STOREFRONTS.map((storefront) => marketOf(store, 'reviews', storefront)))]
}

function ratingOf(world: World, appId: string, store: Store): number {
  return Number(world.rating({ store, appId, storefront: 'us' })?.average)
}

test('reviews name the newest versions of their time', () => {
  for (const app of SIMULATED_APPS) {
    assert.deepEqual(versionsInUse(app, 0), app.versions.slice(0, 2))
    assert.ok(!versionsInUse(app, NEWEST_RELEASE_DAYS_AGO + 1).includes(app.versions[0] ?? ''))
    assert.deepEqual(versionsInUse(app, 1_000), app.versions.slice(-1))
  }
})
