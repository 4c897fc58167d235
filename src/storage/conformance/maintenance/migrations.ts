import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { AppliedMigration, Schema } from '../../migrate.ts'
import { SchemaError } from '../../port/errors.ts'

/** Direct access to an empty database, without the port. */
export type RawDatabase = AsyncDisposable & {
  /** The number of steps that ran. */
  readonly migrate: (schema: Schema) => Promise<number>
  readonly exec: (sql: string) => Promise<void>
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>
  readonly tables: () => Promise<string[]>
  /** As in structure.ts. */
  readonly structure: () => Promise<string[]>
}

export type MigrationEngine = {
  readonly schema: Schema
  /** Its name in `schema-43`. */
  readonly engine: 'sqlite' | 'postgres'
  readonly openRaw: () => Promise<RawDatabase>
}

const TABLE =
  'create table schema_migrations (version integer primary key, name text not null, applied_at bigint not null)'
const BASE: AppliedMigration = { version: 43, name: 'base' }
/** Small schemas of three versions, each with all that came before. */
const ONE: Schema = { base: BASE, page: `${TABLE}; create table one (a integer)`, migrations: [] }
const TWO: Schema = {
  base: BASE,
  page: `${ONE.page}; create table two (a integer); create table three (a integer)`,
  migrations: [
    { version: 44, name: 'two', sql: 'create table two (a integer); create table three (a integer)' },
  ],
}
const BROKEN: Schema = {
  base: BASE,
  page: `${ONE.page}; create nonsense`,
  migrations: [{ version: 44, name: 'two', sql: 'create table two (a integer); create nonsense' }],
}

export function migrationsSuite({ schema, engine, openRaw }: MigrationEngine): void {
  /** A database as version 0.5.0 left it. */
  const openEarlier = async (applied: readonly AppliedMigration[]) => {
    const raw = await openRaw()
    await raw.exec(readFileSync(new URL(`./schema-43/${engine}.sql`, import.meta.url), 'utf8'))
    for (const { version, name } of applied)
      await raw.exec(`insert into schema_migrations values (${version}, '${name}', 1)`)
    return raw
  }
  const valuesOf = async (raw: RawDatabase, sql: string) => (await raw.rows(sql)).map(Object.values)
  const history = (raw: RawDatabase) =>
    valuesOf(
      raw,
      `select version, name from schema_migrations where version >= ${schema.base.version} order by version`,
    )
  const CORE: AppliedMigration = { version: 1, name: 'core' }

  describe('migrations', () => {
    it('an empty database is created from the page, with the newest version, once', async () => {
      await using raw = await openRaw()
      assert.equal(await raw.migrate(schema), 1)
      assert.ok((await raw.tables()).includes('deliveries'))
      const rows = [schema.base, ...schema.migrations].map(({ version, name }) => [version, name])
      assert.deepEqual(await history(raw), rows)
      assert.equal(await raw.migrate(schema), 0)
    })

    it('migrations lead a database of version 0.5.0 to the page, and keep its rows', async () => {
      await using fresh = await openRaw()
      await fresh.migrate(schema)
      await using raw = await openEarlier([CORE, schema.base])
      await raw.exec("insert into accounts (id, name, created_at) values ('alice', 'Alice', 1)")
      await raw.exec("insert into members values ('ann', 'alice', 'owner', 1, 2)")
      assert.equal(await raw.migrate(schema), schema.migrations.length)
      assert.deepEqual(await raw.structure(), await fresh.structure())
      assert.deepEqual(await history(raw), await history(fresh))
      assert.deepEqual(await valuesOf(raw, 'select id, name from accounts'), [['alice', 'Alice']])
      assert.deepEqual((await valuesOf(raw, 'select * from members')).map(String), ['ann,alice,owner,1,2'])
    })

    it('a schema from before version 0.5.0 is refused with the version to start first, and nothing changes', async () => {
      const before = { version: schema.base.version - 1, name: 'public_replies' }
      await using raw = await openEarlier([CORE, before])
      await assert.rejects(raw.migrate(schema), (error) => {
        assert.ok(error instanceof SchemaError)
        assert.match(
          error.message,
          new RegExp(
            `^The database \\S+ has schema version ${before.version}\\. Start Review Radar 0\\.5\\.0 once to upgrade it, then start this version \\(test\\)\\.$`,
          ),
        )
        return true
      })
      assert.deepEqual(await history(raw), [])
    })

    it('migrations run only pending ones', async () => {
      await using raw = await openRaw()
      assert.equal(await raw.migrate(ONE), 1)
      await raw.exec('insert into one values (7)')
      assert.equal(await raw.migrate(TWO), 1)
      assert.deepEqual(await raw.tables(), ['one', 'schema_migrations', 'three', 'two'])
      assert.equal(await raw.migrate(TWO), 0)
    })

    it('migrations lead to the same history as the page', async () => {
      await using migrated = await openRaw()
      await migrated.migrate(ONE)
      await migrated.migrate(TWO)
      await using fresh = await openRaw()
      assert.equal(await fresh.migrate(TWO), 1)
      const rows = 'select version, name from schema_migrations order by version'
      assert.deepEqual(await valuesOf(fresh, rows), await valuesOf(migrated, rows))
      assert.deepEqual(await fresh.structure(), await migrated.structure())
    })

    it('migrations roll back a failed one and keep the previous ones', async () => {
      await using raw = await openRaw()
      await assert.rejects(raw.migrate(BROKEN))
      assert.deepEqual(await raw.tables(), [])
      await raw.migrate(ONE)
      await assert.rejects(raw.migrate(BROKEN))
      assert.deepEqual(await raw.tables(), ['one', 'schema_migrations'])
      assert.equal(await raw.migrate(TWO), 1)
    })

    it('migrations, and the page, run once when several nodes start together', async () => {
      await using raw = await openRaw()
      const started = async (each: Schema) => {
        const done = await Promise.all([raw.migrate(each), raw.migrate(each), raw.migrate(each)])
        return done.reduce((sum, steps) => sum + steps)
      }
      assert.equal(await started(ONE), 1)
      assert.equal(await started(TWO), 1)
    })

    it('migrations reject a newer schema and change nothing', async () => {
      await using raw = await openRaw()
      await raw.migrate(TWO)
      await assert.rejects(raw.migrate(ONE), (error) => {
        assert.ok(error instanceof SchemaError)
        assert.match(
          error.message,
          /schema 44 \(two\).*newer version.*knows schema 43\. Start the newer version/s,
        )
        return true
      })
    })

    it('migrations reject a database of another program and change nothing', async () => {
      await using raw = await openRaw()
      await raw.exec('create table customers (id integer)')
      await assert.rejects(raw.migrate(ONE), /contains tables that Review Radar did not create/)
      assert.deepEqual(await raw.tables(), ['customers'])
    })

    it('migrations reject migrations of another program under the same table name', async () => {
      const other = /was not written by Review Radar\. Name another database\.$/
      await using raw = await openRaw()
      await raw.exec(TABLE)
      await assert.rejects(raw.migrate(ONE), other)
      await raw.exec("insert into schema_migrations values (1, 'create_users', 0)")
      await assert.rejects(raw.migrate(ONE), other)
      await raw.exec("insert into schema_migrations values (43, 'create_users', 0)")
      await assert.rejects(raw.migrate(ONE), other)
      await using foreign = await openRaw()
      await foreign.exec('create table schema_migrations (filename text)')
      await assert.rejects(foreign.migrate(ONE), SchemaError)
    })
  })
}
