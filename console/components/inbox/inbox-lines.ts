import type { InboxLine, InboxTest } from '../../../src/contract/console/inbox.ts'

/**
 * Events and tests in one list, newest first. While older events are not loaded yet (`hasMore`), tests that are older than
 * the last loaded one are left out, so that no event appears above them later.
 */
export function inboxLines<Line extends InboxLine>(
  events: readonly Line[],
  tests: readonly InboxTest[],
  hasMore: boolean,
): (Line | InboxTest)[] {
  const oldest = hasMore ? (events.at(-1)?.createdAt ?? '') : ''
  const shown = tests.filter(({ createdAt }) => createdAt >= oldest)
  // Stable: events of the same instant stay in their order.
  return [...events, ...shown].sort((a, b) =>
    a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0,
  )
}

export function isTest(line: InboxLine | InboxTest): line is InboxTest {
  return 'attempt' in line
}
