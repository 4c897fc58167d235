import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from './world.ts'

const place = { store: 'apple', appId: '1', market: 'us' } as const
const subject = { store: 'apple', source: 'rss', appIds: ['1'], market: 'us', page: 1 } as const
const draft = (id: string, second: number) => ({
  id,
  rating: 4,
  title: 'T',
  body: 'B',
  author: 'A',
  version: '1.0',
  publishedAt: new Date(second * 1000),
})

test('an edited review keeps its id and history, and moves to the top', () => {
  const world = createWorld()
  world.addReview(place, draft('10', 1))
  world.addReview(place, draft('11', 2))
  world.editReview({ ...place, reviewId: '10' }, { body: 'Now worse', rating: 1 }, new Date(9000))
  const [first, second] = world.reviews(place)
  assert.equal(first?.id, '10')
  assert.equal(first?.body, 'Now worse')
  assert.deepEqual(first?.history, [{ rating: 4, title: 'T', body: 'B', at: new Date(1000) }])
  assert.equal(second?.id, '11')
  assert.throws(() => world.editReview({ ...place, reviewId: '99' }, {}, new Date(0)), /no review 99/)
})

test('a removed review is not shown', () => {
  const world = createWorld()
  world.addReview(place, draft('10', 1))
  world.removeReview({ ...place, reviewId: '10' })
  assert.deepEqual(world.reviews(place), [])
  assert.throws(() => world.removeReview({ ...place, reviewId: '10' }), /no review 10/)
})

test('reviews of the same second are ordered by numeric id', () => {
  const world = createWorld()
  for (const id of ['9', '10', '100']) world.addReview(place, draft(id, 1))
  assert.deepEqual(
    world.reviews(place).map((review) => review.id),
    ['100', '10', '9'],
  )
})

test('a fault occurs only in its scope and at most `times` times', () => {
  const world = createWorld()
  world.setFault({ store: 'apple', source: 'rss', market: 'us', times: 2 }, { kind: 'drop' })
  assert.equal(world.consumeFault({ ...subject, source: 'web' }), null)
  assert.equal(world.consumeFault({ ...subject, market: 'fr' }), null)
  assert.equal(world.consumeFault({ ...subject, store: 'google' }), null)
  assert.deepEqual(world.consumeFault(subject), { kind: 'drop' })
  assert.deepEqual(world.consumeFault(subject), { kind: 'drop' })
  assert.equal(world.consumeFault(subject), null)
})

test('a missing page affects only that page, and a later fault takes precedence until it is cleared', () => {
  const world = createWorld()
  world.setFault({ store: 'apple' }, { kind: 'hole', page: 2 })
  assert.equal(world.consumeFault(subject), null)
  const off = world.setFault({ store: 'apple', appId: '1' }, { kind: 'gone' })
  assert.deepEqual(world.consumeFault({ ...subject, page: 2 }), { kind: 'gone' })
  off()
  assert.deepEqual(world.consumeFault({ ...subject, page: 2 }), { kind: 'hole', page: 2 })
  world.clearFaults()
  assert.equal(world.consumeFault({ ...subject, page: 2 }), null)
})
