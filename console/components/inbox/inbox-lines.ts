import type { InboxLine, InboxTest } from '../../../src/contract/console/inbox.ts'

/**
 * Events and tests in one list, newest first. While older events are not loaded yet (`hasMore`), tests older than the
 * last loaded event are left out, so that later pages only append to the list.
 */
export function inboxLines<Line extends InboxLine>(
  events: readonly Line[],
  tests: readonly InboxTest[],
  hasMore: boolean,
): (Line | InboxTest)[] {
  const oldest = hasMore ? (events.at(-1)?.created_at ?? '') : ''
  const shown = tests.filter(({ created_at }) => created_at >= oldest)
  // The sort is stable: events of the same instant keep their order.
  return [...events, ...shown].sort((a, b) =>
    a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0,
  )
}

export function isTest(line: InboxLine | InboxTest): line is InboxTest {
  return 'attempt' in line
}
