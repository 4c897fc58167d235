import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { configOf } from '../src/service/config/config.ts'
import { moveToPostgres } from '../src/service/move.ts'
import { createRandom } from '../src/simulate/random.ts'
import { createWriter } from '../src/simulate/review-texts.ts'
import { testClock } from '../test/support/clock.ts'
import { startConsumer } from '../test/support/consumer.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { nextSecond } from '../test/support/publish.ts'
import { baseline, subscribe } from '../test/support/radar.ts'
import { addApp, startTestService, type TestService } from '../test/support/service.ts'
import { until } from '../test/support/until.ts'

/**
 * Bytes per row on both engines, including indexes, for docs/scaling.md. The service detects, enriches and delivers `APPS * REVIEWS`
 * reviews of realistic lengths, each to one hook; then it measures the tables.
 */
const APPS = 100
const REVIEWS = 100
const SEEN = 1_000_000
const WAIT_MS_MAX = 600_000

type Weight = { readonly table: string; readonly rows: number; readonly bytes: number }

for (const engine of ['sqlite', 'postgres'] as const) {
  await using radar = await startTestService({ RADAR_ENRICHMENT: 'offline' }, { clock: testClock(), engine })
  await run(radar)
  await radar.service.stop()
  if (engine === 'postgres') {
    print('postgres, in use', await weighPostgres(radar.environment.RADAR_DATABASE_URL ?? ''))
    continue
  }
  const file = `${radar.environment.RADAR_DATA_DIR}/radar.db`
  print('sqlite, in use', weighSqlite(file))
  addSeen(file)
  print(
    `sqlite, with ${SEEN} seen`,
    weighSqlite(file).filter(({ table }) => table === 'seen'),
  )
  await using server = await startPostgres()
  const target = await server.newDatabase()
  const startedMs = performance.now()
  const moved = await moveToPostgres(configOf(radar.environment), target, () => {})
  const rows = moved.reduce((sum, each) => sum + each.rows, 0)
  const seconds = (performance.now() - startedMs) / 1_000
  process.stdout.write(
    `moved ${rows} rows in ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s\n\n`,
  )
  print('postgres, freshly loaded', await weighPostgres(target))
}

async function run(radar: TestService): Promise<void> {
  await using consumer = await startConsumer()
  const alice = await radar.person('Alice')
  const writer = createWriter(createRandom(1))
  const places = Array.from({ length: APPS }, (_, index) =>
    index % 2 === 0
      ? ({ store: 'apple', appId: String(400_000_000 + index), market: 'us' } as const)
      : ({ store: 'google', appId: `com.example.weighed${index}`, market: 'en' } as const),
  )
  for (const place of places) {
    addApp(radar.world, place)
    const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
    await subscribe(alice, consumer, 'weighed', wants)
  }
  for (const { appId } of places) await baseline(radar, appId)
  const publishedAt = nextSecond(radar)
  for (const [index, place] of places.entries()) {
    for (let nth = 0; nth < REVIEWS; nth += 1) {
      const { stars, title, body } = writer.text(place.appId, 'en')
      const number = index * REVIEWS + nth
      radar.world.addReview(place, {
        id: place.store === 'apple' ? String(7_000_000_000 + number) : `${'0'.repeat(28)}${number}`,
        rating: stars,
        title: place.store === 'apple' ? title : null,
        body,
        author: writer.author('en'),
        version: '12.3.4',
        publishedAt,
      })
    }
  }
  const all = APPS * REVIEWS
  await until(`${all} were delivered`, () => consumer.requests('weighed').length >= all, WAIT_MS_MAX)
}

/** Adds rows in the format of the storage, with random ids like hashes. */
function addSeen(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${SEEN})
    insert into seen (feed_id, review_key) select 1000 + i % 2000, randomblob(16) from n`)
  db.close()
}

function weighSqlite(file: string): Weight[] {
  const db = new DatabaseSync(file)
  const weights = db
    .prepare(
      `select s.tbl_name as name, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name
       group by s.tbl_name`,
    )
    .all()
    .map(({ name, bytes }) => ({
      table: String(name),
      rows: Number(db.prepare(`select count(*) as rows from "${name}"`).get()?.rows),
      bytes: Number(bytes),
    }))
  db.close()
  return weights
}

async function weighPostgres(url: string): Promise<Weight[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const tables = await client.query('select tablename from pg_tables where schemaname = current_schema()')
  const weights: Weight[] = []
  for (const { tablename: table } of tables.rows) {
    const { rows } = await client.query(
      `select count(*)::integer as rows, pg_total_relation_size('"${table}"')::integer as bytes from "${table}"`,
    )
    weights.push({ table, ...rows[0] })
  }
  await client.end()
  return weights
}

function print(title: string, weights: readonly Weight[]): void {
  process.stdout.write(`${title}\n`)
  for (const { table, rows, bytes } of [...weights].sort((a, b) => b.bytes - a.bytes)) {
    if (rows < 100) continue
    process.stdout.write(
      `  ${table.padEnd(16)} ${String(rows).padStart(9)} rows ${Math.round(bytes / rows)} bytes each\n`,
    )
  }
  process.stdout.write('\n')
}
