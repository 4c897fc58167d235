import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxLine, InboxTest } from '../../../src/contract/console/inbox.ts'
import { inboxLines } from './inbox-lines.ts'

const lineAt = (minute: number) => ({ event_id: `event ${minute}`, created_at: at(minute) }) as InboxLine
const testAt = (minute: number) => ({ event_id: `test ${minute}`, created_at: at(minute) }) as InboxTest
const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString()
const ids = (lines: readonly InboxLine[]) => lines.map(({ event_id }) => event_id)

test('events and tests are sorted by time', () => {
  const lines = inboxLines([lineAt(9), lineAt(5)], [testAt(7), testAt(1)], false)
  assert.deepEqual(ids(lines), ['event 9', 'test 7', 'event 5', 'test 1'])
  assert.deepEqual(ids(inboxLines([], [testAt(2), testAt(1)], false)), ['test 2', 'test 1'])
})

test('a test older than all loaded events appears once older events are loaded', () => {
  const lines = inboxLines([lineAt(9), lineAt(5)], [testAt(7), testAt(1)], true)
  assert.deepEqual(ids(lines), ['event 9', 'test 7', 'event 5'])
})
