import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  afterChange,
  coveredUntilOf,
  DATE_TOLERANCE_MS,
  type LinkableReview,
  linkReviews,
  STORE_LAG_MS,
} from './review-link.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 0, 15)

function review(given: Partial<LinkableReview> = {}): LinkableReview {
  return {
    key: 'a',
    market: 'us',
    rating: 5,
    title: null,
    body: 'Great app',
    author: 'Ann',
    at: new Date(NOW_MS),
    ...given,
  }
}
const linked = (ours: readonly LinkableReview[], theirs: readonly LinkableReview[]) =>
  Object.fromEntries(linkReviews(ours, theirs))

test('reviews with the same author and text are linked, whatever their dates and line breaks', () => {
  const theirs = review({ key: 'x', title: 'Great', body: 'app', at: new Date(NOW_MS - 900 * HOUR_MS) })
  assert.deepEqual(linked([review({ body: ' Great\r\napp ' })], [theirs]), { a: 'x' })
})

test('equal texts of people without a name are linked one to one, the nearest in time first', () => {
  const ours = [
    review({ key: 'new', author: null, at: new Date(NOW_MS + 3 * HOUR_MS) }),
    review({ key: 'old', author: 'A Google user', at: new Date(NOW_MS) }),
  ]
  assert.deepEqual(linked(ours, [review({ key: 'x', author: 'A Google user' })]), { old: 'x' })
})

test('equal texts of different people are not linked', () => {
  assert.deepEqual(linked([review({ author: 'Bob' })], [review({ key: 'x' })]), {})
})

test('equal texts of people without a name are not linked when their dates differ by more than a day', () => {
  const theirs = review({ key: 'x', author: null, at: new Date(NOW_MS - DATE_TOLERANCE_MS - 1) })
  assert.deepEqual(linked([review({ author: null })], [theirs]), {})
})

test('an edited review is linked by its author, unless the author is ambiguous', () => {
  const edited = review({ body: 'Crashes since the update', rating: 1 })
  assert.deepEqual(linked([edited], [review({ key: 'x' })]), { a: 'x' })
  assert.deepEqual(linked([edited], [review({ key: 'x' }), review({ key: 'y', body: 'Fine' })]), {})
})

test('a review without a name does not take the link of an edited one with a name', () => {
  const words = { body: 'Too expensive', rating: 1 }
  const ours = [
    review({ ...words, key: 'nameless', author: null, at: new Date(NOW_MS - 31 * 60_000) }),
    review({ key: 'edited', body: 'Fair price now' }),
  ]
  const theirs = [
    review({ ...words, key: 'x', author: 'A Google user' }),
    review({ ...words, key: 'y', at: new Date(NOW_MS - HOUR_MS) }),
  ]
  assert.deepEqual(linked(ours, theirs), { nameless: 'x', edited: 'y' })
})

test('reviews of different markets are not linked', () => {
  assert.deepEqual(linked([review({ market: 'de' })], [review({ key: 'x' })]), {})
})

test('an unlinked review is old if the other source had the time to show it', () => {
  const coveredUntil = new Date(NOW_MS)
  assert.equal(afterChange(review(), false, coveredUntil), 'new')
  assert.equal(afterChange({ at: new Date(NOW_MS - STORE_LAG_MS - 1) }, false, coveredUntil), 'old')
  assert.equal(afterChange({ at: new Date(0) }, false, null), 'new')
  assert.equal(afterChange({ at: new Date(0) }, true, null), 'known')
})

test('a source that was polled with a clock that is ahead was read until the time by the reference', () => {
  const until = (lastOkMs: number, aheadMs: number, newestMs: number | null) =>
    coveredUntilOf(new Date(lastOkMs), aheadMs, newestMs === null ? null : new Date(newestMs)).getTime()
  const yearMs = 365 * 24 * HOUR_MS
  assert.equal(until(NOW_MS, 0, NOW_MS - HOUR_MS), NOW_MS)
  assert.equal(until(NOW_MS, -yearMs, NOW_MS - HOUR_MS), NOW_MS)
  assert.equal(until(NOW_MS + yearMs, yearMs, null), NOW_MS)
  assert.equal(until(NOW_MS + yearMs, yearMs, NOW_MS - HOUR_MS), NOW_MS)
  // The poll was before the jump, or the reference was wrong: the source has shown this date.
  assert.equal(until(NOW_MS, yearMs, NOW_MS - HOUR_MS), NOW_MS - HOUR_MS)
  assert.equal(until(NOW_MS, yearMs, NOW_MS + HOUR_MS), NOW_MS)
})

/** A review as it happened: when it was written, when it was edited, and how late the first source showed it. */
const written = fc.record({
  hoursAgo: fc.integer({ min: 0, max: 24 * 30 }),
  lagHours: fc.integer({ min: 0, max: 47 }),
  author: fc.constantFrom('named', 'generic', 'missing') as fc.Arbitrary<'named' | 'generic' | 'missing'>,
  body: fc.constantFrom('Great', 'Crashes', 'Too expensive'),
  rating: fc.integer({ min: 1, max: 5 }),
  /** Only of a person with a name: nothing links an edited review of nobody. */
  editedHoursAgo: fc.option(fc.integer({ min: 0, max: 24 * 30 })),
})

test('after a change of source no review is delivered twice and none is lost', () => {
  fc.assert(
    fc.property(
      fc.array(written, { maxLength: 40 }),
      fc.integer({ min: 0, max: 72 }),
      fc.integer({ min: -60, max: 60 }),
      (reviews, hoursSincePoll, skewMinutes) => {
        const coveredUntilMs = NOW_MS - hoursSincePoll * HOUR_MS
        const all = reviews.map((each, index) => {
          const atMs = NOW_MS - each.hoursAgo * HOUR_MS
          const editedAtMs =
            each.editedHoursAgo === null || each.author !== 'named'
              ? null
              : NOW_MS - each.editedHoursAgo * HOUR_MS
          const author = { named: `Person ${index}`, generic: 'A Google user', missing: null }[each.author]
          const versionAt = (ms: number) =>
            editedAtMs !== null && editedAtMs > atMs && editedAtMs <= ms
              ? { body: `Edited: ${each.body} ${index}`, rating: 6 - each.rating, at: new Date(editedAtMs) }
              : { body: each.body, rating: each.rating, at: new Date(atMs) }
          return {
            ...each,
            index,
            atMs,
            author,
            versionAt,
            wasShown: atMs + each.lagHours * HOUR_MS <= coveredUntilMs,
          }
        })
        const theirs = all
          .filter(({ wasShown }) => wasShown)
          .map(({ index, author, versionAt }) =>
            review({ key: `p${index}`, author, ...versionAt(coveredUntilMs) }),
          )
        const ours = all.map(({ index, author, versionAt }) => {
          const version = versionAt(NOW_MS)
          const at = new Date(version.at.getTime() + skewMinutes * 60_000)
          return review({
            key: `o${index}`,
            author: author === null ? 'Google user' : author,
            ...version,
            at,
          })
        })
        const links = linkReviews(ours, theirs)
        const isNew = (index: number, at: Date) =>
          afterChange({ at }, links.has(`o${index}`), new Date(coveredUntilMs + 2 * HOUR_MS)) === 'new'
        const delivered = all.filter(({ index }) => isNew(index, ours[index]?.at ?? new Date(0)))

        for (const { index, wasShown, author } of all) {
          if (author !== `Person ${index}`) continue
          const at = ours[index]?.at ?? new Date(0)
          // Named people: each review by itself.
          if (wasShown) assert.equal(isNew(index, at), false, `${index} is delivered twice`)
          else if (at.getTime() > coveredUntilMs) assert.equal(isNew(index, at), true, `${index} is lost`)
        }
        // Nobody distinguishes equal texts of people without a name: their number is right.
        const anonymous = (of: typeof all) =>
          of.filter(({ author }) => author === null || author === 'A Google user')
        for (const [, group] of Map.groupBy(anonymous(all), ({ body, rating }) => `${rating} ${body}`)) {
          const shown = group.filter(({ wasShown }) => wasShown).length
          const count = group.filter((each) => delivered.includes(each)).length
          assert.ok(count <= group.length - shown, 'an equal text is delivered twice')
        }
      },
    ),
    { numRuns: 2_000 },
  )
})
