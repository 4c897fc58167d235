import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type FeedKey,
  feedsNeeded,
  feedsOfWatch,
  forwardFrom,
  storefrontsWatched,
  type TrackedStorefront,
  type WatchScope,
} from './coverage.ts'
import { EVENT_TYPES, STOREFRONTS, type Storefront } from './vocabulary.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')

function watch(
  accountId: string,
  eventType: WatchScope['eventType'],
  storefront: Storefront | null,
  minutes = 0,
): WatchScope {
  return {
    accountId,
    eventType,
    storefronts: storefront && [storefront],
    createdAt: new Date(NOON + minutes * 60_000),
    lateReviewsHours: 0,
  }
}

const names = (feeds: readonly FeedKey[]) => feeds.map(({ kind, market }) => `${kind} ${market}`).sort()

describe('the feeds of an app', () => {
  it('an app without a watch has no feeds', () => {
    assert.deepEqual(feedsNeeded('apple', [], []), [])
  })

  it('an app with a watch without a country has the feed of the event type in us', () => {
    assert.deepEqual(names(feedsNeeded('apple', [watch('alice', 'review.created', null)], [])), [
      'reviews us',
    ])
    assert.deepEqual(names(feedsNeeded('apple', [watch('alice', 'rating.dropped', null)], [])), ['rating us'])
  })

  it('an app with a watch with a country has feeds only in its storefront', () => {
    assert.deepEqual(names(feedsNeeded('apple', [watch('alice', 'review.created', 'jp')], [])), [
      'reviews jp',
    ])
  })

  it('an app with a watch without a country has feeds in every storefront that its account watches', () => {
    const watches = [watch('alice', 'review.created', null), watch('alice', 'rating.dropped', 'fr')]
    assert.deepEqual(names(feedsNeeded('apple', watches, [])), ['rating fr', 'reviews fr', 'reviews us'])
  })

  it('the feeds of an app for an account do not depend on the watches of another account', () => {
    const watches = [watch('alice', 'review.created', null), watch('bob', 'review.created', 'jp')]
    const tracked: TrackedStorefront[] = [{ accountId: 'bob', storefront: 'de' }]
    assert.deepEqual(names(feedsNeeded('apple', watches, tracked)), [
      'rating de',
      'reviews de',
      'reviews jp',
      'reviews us',
    ])
  })

  it('a tracked storefront has the feeds of reviews and rating', () => {
    const tracked: TrackedStorefront[] = [{ accountId: 'alice', storefront: 'se' }]
    assert.deepEqual(names(feedsNeeded('apple', [], tracked)), ['rating se', 'reviews se'])
  })

  it('Google has one review feed per language and one rating feed per storefront', () => {
    const tracked = (['us', 'gb', 'in', 'mx', 'es'] as const).map((storefront) => ({
      accountId: 'alice',
      storefront,
    }))
    assert.deepEqual(names(feedsNeeded('google', [], tracked)), [
      'rating es',
      'rating gb',
      'rating in',
      'rating mx',
      'rating us',
      'reviews en',
      'reviews es',
    ])
  })

  it('the feeds of an app are listed in the order of the storefronts', () => {
    const tracked: TrackedStorefront[] = [
      { accountId: 'alice', storefront: 'it' },
      { accountId: 'alice', storefront: 'gb' },
    ]
    const watched = storefrontsWatched([watch('alice', 'review.created', null)], tracked)
    assert.deepEqual(watched.get('alice'), ['us', 'gb', 'it'])
    assert.equal(watched.get('bob'), undefined)
  })
})

describe('the oldest relevant review of a market', () => {
  it('the oldest relevant review of a market is as old as the oldest watch that could match', () => {
    const watches = [
      watch('alice', 'review.created', 'us', 30),
      watch('bob', 'review.created', null, 10),
      watch('carol', 'review.created', 'jp', 1),
      watch('carol', 'rating.dropped', 'us', 2),
    ]
    assert.deepEqual(forwardFrom('apple', 'us', watches, [], null), new Date(NOON + 10 * 60_000))
    assert.deepEqual(forwardFrom('apple', 'jp', watches, [], null), new Date(NOON + 60_000))
  })

  it('a relevant review may be hours older than a watch that takes late ones, once a poll after the watch did not show it', () => {
    const watches = [{ ...watch('alice', 'review.created', 'us'), lateReviewsHours: 2 }]
    const from = (unseenAt: number | null) =>
      forwardFrom('apple', 'us', watches, [], unseenAt === null ? null : new Date(unseenAt))
    const [early, late] = [new Date(NOON - 2 * 3_600_000), new Date(NOON)]
    assert.deepEqual([null, NOON - 60_001, NOON - 60_000, NOON + 1].map(from), [late, late, early, early])
  })

  it('a market that is only tracked has no oldest relevant review', () => {
    assert.equal(forwardFrom('apple', 'us', [], [{ accountId: 'alice', storefront: 'us' }], null), null)
  })

  it('the oldest relevant review is known for each storefront of a watch of several', () => {
    const watches = [{ ...watch('alice', 'review.created', 'us'), storefronts: ['de', 'fr'] as const }]
    assert.deepEqual(names(feedsNeeded('apple', watches, [])), ['reviews de', 'reviews fr'])
    assert.deepEqual(storefrontsWatched(watches, []).get('alice'), ['fr', 'de'])
    assert.deepEqual(forwardFrom('apple', 'fr', watches, [], null), new Date(NOON))
    assert.equal(forwardFrom('apple', 'us', watches, [], null), null)
  })

  it('the oldest relevant review is known for one Google market of storefronts with one language', () => {
    assert.deepEqual(
      forwardFrom('google', 'en', [watch('alice', 'review.created', 'au', 5)], [], null),
      new Date(NOON + 5 * 60_000),
    )
  })
})

const anyWatch = fc.record({
  accountId: fc.constantFrom('alice', 'bob'),
  eventType: fc.constantFrom(...EVENT_TYPES),
  storefronts: fc.option(fc.subarray([...STOREFRONTS], { minLength: 1, maxLength: 3 })),
  createdAt: fc.nat(1000).map((minutes) => new Date(NOON + minutes)),
  lateReviewsHours: fc.nat(72),
})
const anyFollow = fc.record({
  accountId: fc.constantFrom('alice', 'bob'),
  storefront: fc.constantFrom(...STOREFRONTS),
})

describe('coverage of any watches', () => {
  it('coverage of any watches has every required feed once and no other', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('apple' as const, 'google' as const),
        fc.array(anyWatch, { maxLength: 6 }),
        fc.array(anyFollow, { maxLength: 6 }),
        (store, watches, tracked) => {
          const needed = names(feedsNeeded(store, watches, tracked))
          assert.equal(new Set(needed).size, needed.length)
          const watched = storefrontsWatched(watches, tracked)
          const wanted = new Set(
            watches.flatMap((each) => names(feedsOfWatch(store, each, watched.get(each.accountId) ?? []))),
          )
          const ticked = new Set(names(feedsNeeded(store, [], tracked)))
          assert.deepEqual(new Set(needed), wanted.union(ticked))
        },
      ),
    )
  })

  it('coverage of any watches never shrinks when a watch is added', () => {
    fc.assert(
      fc.property(fc.array(anyWatch, { maxLength: 5 }), anyWatch, (watches, more) => {
        const before = new Set(names(feedsNeeded('google', watches, [])))
        const after = new Set(names(feedsNeeded('google', [...watches, more], [])))
        assert.ok(before.isSubsetOf(after))
      }),
    )
  })
})
