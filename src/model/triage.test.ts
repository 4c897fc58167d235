import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizedTag, TAG_CHARS_MAX, triaged, UNTOUCHED, undoOf } from './triage.ts'

test('a tag is compared without case, surrounding space and number sign', () => {
  const given = [' Billing ', '#billing', 'BILLING', 'two   words', 'Äpfel', '日本', '👩‍💻']
  const expected = ['billing', 'billing', 'billing', 'two words', 'äpfel', '日本', '👩‍💻']
  assert.deepEqual(given.map(normalizedTag), expected)
})

test('a tag is one short text without commas, quotes, backslashes and control characters', () => {
  const wrong = ['', ' ', '#', 'a,b', 'a"b', 'a\\b', 'a\u0000b', '\ud800', 'x'.repeat(TAG_CHARS_MAX + 1)]
  assert.deepEqual(
    wrong.map(normalizedTag),
    wrong.map(() => null),
  )
  assert.equal(normalizedTag('x'.repeat(TAG_CHARS_MAX)), 'x'.repeat(TAG_CHARS_MAX))
})

test('a change of triage keeps what it does not name, and sorts and merges tags', () => {
  const before = { ...UNTOUCHED, status: 'seen', assignee: 'alice', tags: ['b', 'c'] } as const
  assert.deepEqual(triaged(before, {}), before)
  assert.deepEqual(triaged(before, { assignee: null }).assignee, null)
  assert.deepEqual(triaged(before, { addTags: ['a', 'b'], removeTags: ['c'] }).tags, ['a', 'b'])
  assert.deepEqual(triaged(before, { tags: [] }).tags, [])
})

test('an undo of triage names only what differs', () => {
  const before = { ...UNTOUCHED, assignee: 'alice', tags: ['a', 'b'] } as const
  assert.deepEqual(undoOf(before, before), {})
  const now = triaged(before, { status: 'done', tags: ['b', 'c'] })
  assert.deepEqual(undoOf(before, now), { status: 'new', addTags: ['a'], removeTags: ['c'] })
  const later = triaged(now, { assignee: 'bob', addTags: ['d'] })
  assert.deepEqual(triaged(later, undoOf(before, now)), { ...before, assignee: 'bob', tags: ['a', 'b', 'd'] })
})
