import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Migration, readMigrations } from '../../migrate.ts'
import { SchemaError } from '../../port/errors.ts'
import { attemptOf } from '../../queue/attempt-rows.ts'

/** Direct access to an empty database, without the port. */
export type RawDatabase = AsyncDisposable & {
  /** The number of applied migrations. */
  readonly migrate: (migrations: readonly Migration[]) => Promise<number>
  readonly exec: (sql: string) => Promise<void>
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>
  readonly tables: () => Promise<string[]>
}

export type MigrationEngine = {
  readonly folder: URL
  /** The type of byte columns. */
  readonly bytes: 'blob' | 'bytea'
  readonly openRaw: () => Promise<RawDatabase>
}

const ONE: Migration = { version: 1, name: 'one', sql: 'create table one (a integer)' }
const TWO: Migration = {
  version: 2,
  name: 'two',
  sql: 'create table two (a integer); create table three (a integer)',
}
const BROKEN: Migration = { version: 2, name: 'two', sql: 'create table two (a integer); create nonsense' }

export function migrationsSuite({ folder, bytes, openRaw }: MigrationEngine): void {
  describe('migrations', () => {
    it('migrations update an empty database to the newest schema, and change nothing the second time', async () => {
      await using raw = await openRaw()
      const migrations = readMigrations(folder)
      assert.equal(await raw.migrate(migrations), migrations.length)
      assert.ok((await raw.tables()).includes('deliveries'))
      assert.equal(await raw.migrate(migrations), 0)
    })

    it('migrations keep the due time and the lease of deliveries under way', async () => {
      await using raw = await openRaw()
      const migrations = readMigrations(folder)
      await raw.migrate(migrations.filter(({ version }) => version < 4))
      const insert = (event: string, due: number, claimed: string) =>
        raw.exec(`insert into deliveries (event_id, occurrence_id, occurrence_seq, account_id, hook_id, event_type, store,
            app_id, status, due_at, claimed_due_at, give_up_at, created_at)
          values (cast('${event}' as ${bytes}), cast('one' as ${bytes}), 1, 'alice', 'hook', 'review.created', 'google',
            'app', 'pending', ${due}, ${claimed}, 9000, 1)`)
      await insert('waiting', 200, 'null')
      await insert('being sent', 5000, '100')
      await raw.exec("insert into bodies (delivery_seq, body) select seq, '{}' from deliveries")
      await raw.migrate(migrations)
      assert.deepEqual(
        (await raw.rows('select due_at, leased_until from deliveries order by due_at')).map(
          ({ due_at, leased_until }) => [due_at, leased_until],
        ),
        [
          [100, 5000],
          [200, null],
        ],
      )
    })

    it('migrations keep every event with its state, and number the next event after all others', async () => {
      await using raw = await openRaw()
      const migrations = readMigrations(folder)
      await raw.migrate(migrations.filter(({ version }) => version < 5))
      const insert = (event: string, state: string) =>
        raw.exec(`insert into deliveries (event_id, occurrence_id, occurrence_seq, account_id, hook_id, event_type, store,
            app_id, status, give_up_at, created_at, delivered_at)
          values (cast('${event}' as ${bytes}), cast('one' as ${bytes}), 1, 'alice', 'hook', 'review.created', 'google',
            'app', '${state}', 9000, 1, ${state === 'delivered' ? 500 : 'null'})`)
      await insert('first', 'delivered')
      await insert('second', 'pending')
      await insert('third', 'dead')
      await raw.exec(`insert into bodies (delivery_seq, body) select seq, 'bytes of ' || seq from deliveries;
        delete from bodies where delivery_seq = 3; delete from deliveries where seq = 3`)
      await raw.migrate(migrations)
      const rows =
        await raw.rows(`select e.seq, e.account_id, e.hook_id, e.event_type, e.store, e.app_id, e.created_at, e.body,
          d.hook_id as whose, d.status, d.expires_at, d.delivered_at
        from events e join deliveries d on d.seq = e.seq order by e.seq`)
      const common = ['alice', 'hook', 'review.created', 'google', 'app', 1]
      assert.deepEqual(rows.map(Object.values), [
        [1, ...common, 'bytes of 1', 'hook', 'delivered', 9000, 500],
        [2, ...common, 'bytes of 2', 'hook', 'pending', 9000, null],
      ])
      await raw.exec(`insert into events (event_id, occurrence_id, account_id, hook_id, event_type, store, app_id, created_at, body)
        values (cast('fourth' as ${bytes}), cast('one' as ${bytes}), 'alice', 'hook', 'review.created', 'google', 'app', 1, '')`)
      assert.deepEqual((await raw.rows('select max(seq) as last from events')).map(Object.values), [[4]])
    })

    it('migrations keep recorded attempts and test events', async () => {
      await using raw = await openRaw()
      const migrations = readMigrations(folder)
      await raw.migrate(migrations.filter(({ version }) => version < 6))
      const attempt = {
        requestHeaders: { a: '"1"' },
        responseHeaders: { b: '2' },
        responseBody: 'no\u001f "such" thing',
      }
      const insert = (number: number, delivery: string, test: string) =>
        raw.exec(`insert into attempts (delivery_seq, account_id, hook_id, number, started_at, first_byte_ms, total_ms, url,
            request_headers, http_status, reason, response_headers, response_body, response_truncated, test_body)
          values (${delivery}, 'alice', 'hook', ${number}, 1700000000123, 0.5, 12, 'https://example.org',
            '${JSON.stringify(attempt.requestHeaders)}', 404, 'http_status', '${JSON.stringify(attempt.responseHeaders)}',
            '${attempt.responseBody}', 1, ${test})`)
      await insert(1, '7', 'null')
      await insert(2, 'null', "'sent'")
      await insert(2, '7', 'null')
      await raw.migrate(migrations)
      const recorded = (number: number) => ({
        ...attempt,
        number,
        startedAt: new Date(1_700_000_000_123),
        timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: 0.5, totalMs: 12 },
        url: 'https://example.org',
        httpStatus: 404,
        reason: 'http_status',
        detail: null,
        remoteAddress: null,
        responseTruncated: true,
        replayId: null,
      })
      const attempts = await raw.rows('select delivery_seq, record from attempts order by seq')
      assert.deepEqual(
        attempts.map(({ delivery_seq, record }) => [delivery_seq, attemptOf(String(record))]),
        [
          [7, recorded(1)],
          [7, recorded(2)],
        ],
      )
      const tests = await raw.rows('select hook_id, account_id, body, record from tests')
      assert.deepEqual(
        tests.map(({ record, ...rest }) => ({ ...rest, attempt: attemptOf(String(record)) })),
        [{ hook_id: 'hook', account_id: 'alice', body: 'sent', attempt: recorded(2) }],
      )
    })

    it('migrations keep watches, watch sets, slides and occurrences when event types are added', async () => {
      await using raw = await openRaw()
      const migrations = readMigrations(folder)
      await raw.migrate(migrations.filter(({ version }) => version < 32))
      await raw.exec(`
        insert into accounts (id, name, created_at) values ('alice', 'Alice', 1);
        insert into hooks (id, account_id, source, target_url, status, secrets, created_at, cloud_events, target_type)
          values ('hook', 'alice', 'api', 'https://example.org', 'active', '[]', 1, 0, 'webhook');
        insert into watch_sets (id, hook_id, account_id, all_apps, event_type, storefront, min_stars, max_stars, delta_micros,
            threshold_micros, rules, created_at, delta_window_hours)
          values ('set', 'hook', 'alice', 1, 'rating.dropped', 'us', 1, 5, 100, 200, null, 5, 24);
        insert into watches (id, hook_id, account_id, store, app_id, event_type, storefront, min_stars, max_stars, delta_micros,
            threshold_micros, rules, created_at, created_shift_ms, set_id, delta_window_hours)
          values ('one', 'hook', 'alice', 'apple', '1', 'rating.dropped', 'us', 1, 5, 100, 200, null, 5, 7, 'set', 24),
            ('two', 'hook', 'alice', 'google', 'a.b', 'review.created', null, 1, 3, null, null, '{"isBugReport":true}', 6, null, null, null);
        insert into rating_slides (watch_id, market, fired_at) values ('one', 'us', 9);
        insert into occurrences (occurrence_id, market, event_type, store, app_id, review_seq, previous_micros, previous_count,
            current_micros, current_count, occurred_at, observed_at, ready_at, highs)
          values (cast('a' as ${bytes}), 'us', 'rating.dropped', 'apple', '1', null, 4, 3, 2, 1, 10, 11, 12, '[]'),
            (cast('b' as ${bytes}), 'us', 'review.created', 'apple', '1', 8, null, null, null, null, 20, 21, null, null),
            (cast('c' as ${bytes}), 'us', 'review.created', 'apple', '1', 9, null, null, null, null, 30, 31, null, null);
        delete from occurrences where review_seq = 9;
        insert into feeds (store, app_id, kind, market, next_poll_at, interval_ms, last_ok_at)
          values ('apple', '1', 'reviews', 'us', 1, 1, 500), ('apple', '1', 'reviews', 'de', 1, 1, 500),
            ('apple', '1', 'reviews', 'fr', 1, 1, null);
        insert into reviews (fingerprint, store, app_id, review_id, market, rating, body, shown_at, content_hash, occurred_at, observed_at)
          values (cast('x' as ${bytes}), 'apple', '1', 'x', 'us', 1, '', 100, cast('x' as ${bytes}), 100, 500),
            (cast('y' as ${bytes}), 'apple', '1', 'y', 'us', 1, '', 200, cast('y' as ${bytes}), 200, 500);`)
      const tables = {
        watches:
          'id, hook_id, account_id, store, app_id, event_type, storefront, min_stars, max_stars, delta_micros, threshold_micros, rules, created_at, created_shift_ms, set_id, delta_window_hours',
        watch_sets:
          'id, hook_id, account_id, all_apps, event_type, storefront, min_stars, max_stars, delta_micros, threshold_micros, rules, created_at, delta_window_hours',
        rating_slides: 'watch_id, market, fired_at',
        occurrences:
          'seq, occurrence_id, market, event_type, store, app_id, review_seq, previous_micros, previous_count, current_micros, current_count, occurred_at, observed_at, ready_at, highs',
      }
      const contents = async () =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(tables).map(async ([table, columns]) => [
              table,
              await raw.rows(`select ${columns} from ${table} order by 1`),
            ]),
          ),
        )
      const before = await contents()
      await raw.migrate(migrations)
      assert.deepEqual(await contents(), before)
      await raw.exec(`update watches set event_type = 'reviews.spiked', spike_min_reviews = 5, spike_factor = 1.5 where id = 'two';
        update watch_sets set event_type = 'rating.recovered';
        insert into occurrences (occurrence_id, market, event_type, store, app_id, occurred_at, observed_at)
          values (cast('d' as ${bytes}), 'us', 'reviews.spiked', 'apple', '1', 1, 1);
        insert into watch_spikes (watch_id, fired_at) values ('two', 5)`)
      assert.deepEqual((await raw.rows('select max(seq) as last from occurrences')).map(Object.values), [[4]])
      await assert.rejects(raw.exec("update watches set event_type = 'other'"))
      await assert.rejects(raw.exec("update watches set set_id = 'none' where id = 'two'"))
      await raw.exec("delete from watches where id in ('one', 'two')")
      for (const table of ['rating_slides', 'watch_spikes'])
        assert.deepEqual(await raw.rows(`select * from ${table}`), [])
      const feeds = await raw.rows('select market, baseline_at, known_from from feeds order by market')
      assert.deepEqual(feeds.map(Object.values), [
        ['de', 0, 500],
        ['fr', null, null],
        ['us', 0, 100],
      ])
    })

    it('migrations run only pending ones', async () => {
      await using raw = await openRaw()
      assert.equal(await raw.migrate([ONE]), 1)
      await raw.exec('insert into one values (7)')
      assert.equal(await raw.migrate([ONE, TWO]), 1)
      assert.deepEqual(await raw.tables(), ['one', 'schema_migrations', 'three', 'two'])
    })

    it('migrations roll back a failed one and keep the previous ones', async () => {
      await using raw = await openRaw()
      await assert.rejects(raw.migrate([ONE, BROKEN]))
      assert.deepEqual(await raw.tables(), ['one', 'schema_migrations'])
      assert.equal(await raw.migrate([ONE, TWO]), 1)
    })

    it('migrations can be started by several nodes at once', async () => {
      await using raw = await openRaw()
      const done = await Promise.all([
        raw.migrate([ONE, TWO]),
        raw.migrate([ONE, TWO]),
        raw.migrate([ONE, TWO]),
      ])
      assert.equal(
        done.reduce((sum, each) => sum + each),
        2,
      )
    })

    it('migrations reject a newer schema and change nothing', async () => {
      await using raw = await openRaw()
      await raw.migrate([ONE, TWO])
      await assert.rejects(raw.migrate([ONE]), (error) => {
        assert.ok(error instanceof SchemaError)
        assert.match(
          error.message,
          /schema 2 \(two\).*newer version.*knows schema 1\. Start the newer version/s,
        )
        return true
      })
    })

    it('migrations reject a database of another program and change nothing', async () => {
      await using raw = await openRaw()
      await raw.exec('create table customers (id integer)')
      await assert.rejects(raw.migrate([ONE]), /contains tables that Review Radar did not create/)
      assert.deepEqual(await raw.tables(), ['customers'])
    })

    it('migrations reject migrations of another program under the same table name', async () => {
      await using raw = await openRaw()
      await raw.migrate([{ ...ONE, name: 'create_users' }])
      await assert.rejects(raw.migrate([ONE]), SchemaError)
      await using foreign = await openRaw()
      await foreign.exec('create table schema_migrations (filename text)')
      await assert.rejects(foreign.migrate([ONE]), SchemaError)
    })
  })
}
