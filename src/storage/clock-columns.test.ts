import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { adjustments, type ClockRow } from './tables/maintenance/clock-jump.ts'

/** Why an instant stays when the clock goes back. */
type Reason =
  /** The clock's own row, which the jump changes by itself. */
  | 'clock'
  /** A trigger copies it. */
  | 'copy'
  /** A date of a store, which its clock made. */
  | 'store'
  /** A date that a person chose. */
  | 'chosen'
  /** Nothing waits for it: it is shown, ordered or counted. */
  | 'past'
  /** What has it is only kept for longer. */
  | 'kept'
  /** Not an instant, despite its name. */
  | 'number'

const STAYS: Readonly<Record<string, Reason>> = {
  'accounts.created_at': 'past',
  'accounts.deleted_at': 'past',
  'clock.gap_at': 'clock',
  'clock.high_water_at': 'clock',
  'clock.jumped_at': 'clock',
  'clock.unconfirmed_until': 'clock',
  'events.created_at': 'past',
  'feed_accounts.next_poll_at': 'copy',
  'feeds.newest_shown_at': 'store',
  'hook_hours.hour_at': 'past',
  'idempotency_keys.expires_at': 'kept',
  'imports.imported_at': 'past',
  'invitations.accepted_at': 'past',
  'members.created_at': 'past',
  'model_cache.at': 'kept',
  'occurrences.no_events_until': 'number',
  'occurrences.occurred_at': 'store',
  'ratings.observed_at': 'past',
  'raw_answers.at': 'kept',
  'releases.released_at': 'store',
  'replays.finished_at': 'kept',
  'reply_templates.created_at': 'past',
  'reply_templates.updated_at': 'past',
  'reviews.enrich_at': 'store',
  'reviews.enriched_at': 'past',
  'reviews.occurred_at': 'store',
  'reviews.reply_at': 'store',
  'reviews.shown_at': 'store',
  'saved_views.created_at': 'past',
  'schema_migrations.applied_at': 'past',
  'source_health.newest_at': 'store',
  'tokens.created_at': 'past',
  'tokens.expires_at': 'chosen',
  'tracked_storefronts.created_at': 'past',
  'watch_spikes.fired_at': 'store',
}

/** `table.column` of each column whose name is that of an instant. */
function instants(): string[] {
  const page = readFileSync(new URL('sqlite/schema.sql', import.meta.url), 'utf8')
  return [...page.matchAll(/^create table (\w+) \(\n([\s\S]*?)\n\)/gm)].flatMap(([, table, body = '']) =>
    [...body.matchAll(/^ {2}(\w+) (?:integer|real)\b/gm)]
      .map(([, column = '']) => column)
      .filter((column) => /(_at|_at_ms|_until|_before)$|^(at|since)$/.test(column))
      .map((column) => `${table}.${column}`),
  )
}

/** `table.column` of each column that a step back of the clock changes. */
function moved(): string[] {
  const [from, to] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-01-01T11:00:00Z')]
  const clock = { ahead_ms: 0, gap_ms: 0 } as Partial<ClockRow> as ClockRow
  const jump = { from, to, extendLeases: false, whileStopped: false }
  return adjustments(jump, clock).statements.flatMap((statement) => {
    const text = typeof statement === 'string' ? statement : statement.sqlite
    const [, table, set = ''] = /^update (\w+) set ([\s\S]*?)\s+where /.exec(text) ?? []
    return [...set.matchAll(/(?:^|,\s)\s*(\w+) = case/g)].map(([, column]) => `${table}.${column}`)
  })
}

test('when the clock goes back, each stored instant moves or has a reason to stay', () => {
  const all = instants()
  assert.ok(all.length > 80, `${all.length} instants`)
  const movedNow = new Set(moved())
  const stays = (name: string) => Object.hasOwn(STAYS, name)
  assert.deepEqual(
    all.filter((name) => !movedNow.has(name) && !stays(name)),
    [],
    'neither',
  )
  assert.deepEqual(
    Object.keys(STAYS).filter((name) => movedNow.has(name) || !all.includes(name)),
    [],
    'both, or gone',
  )
})
