import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { postgresSchema } from '../../src/storage/postgres/migrate.ts'
import { openPostgres } from '../../src/storage/postgres/open.ts'
import { type PostgresOptions, type PostgresServer, startPostgresServer } from './postgres-server.ts'

/** Creates databases for tests. Disposing drops them. */
export type TestPostgres = AsyncDisposable & {
  /** Creates an empty database and returns its URL. */
  readonly newDatabase: () => Promise<string>
  /** Creates a database with the newest schema and returns its URL. Much faster than creating it. */
  readonly newMigratedDatabase: () => Promise<string>
  /** Runs statements as the superuser, by default in the maintenance database. */
  readonly query: (sql: string, databaseUrl?: string) => Promise<Record<string, unknown>[]>
}

export type OwnPostgres = TestPostgres & Pick<PostgresServer, 'restart'>

/**
 * Uses the server of `TEST_POSTGRES_URL`, which `npm test` starts once for all files, or starts one. The user needs the
 * right to create databases.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const sharedUrl = process.env.TEST_POSTGRES_URL
  return sharedUrl ? databasesOn(sharedUrl) : startOwnPostgres()
}

/** Starts a separate server, which the caller may restart. */
export async function startOwnPostgres(options: PostgresOptions = {}): Promise<OwnPostgres> {
  const server = await startPostgresServer(options)
  return {
    ...databasesOn(server.url),
    restart: server.restart,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function databasesOn(serverUrl: string): TestPostgres {
  const names: string[] = []
  const create = async (template?: string) => {
    const name = `test_${randomBytes(8).toString('hex')}`
    await query(serverUrl, `create database ${name}${template === undefined ? '' : ` template ${template}`}`)
    names.push(name)
    return databaseUrl(serverUrl, name)
  }
  let template: Promise<string> | undefined
  return {
    query: (sql, url = serverUrl) => query(url, sql),
    newDatabase: () => create(),
    newMigratedDatabase: async () => {
      template ??= migratedTemplate(serverUrl)
      return create(await template)
    },
    [Symbol.asyncDispose]: async () => {
      for (const name of names) await query(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

/** The name of a template database with the newest schema. The first process that needs it creates it. */
async function migratedTemplate(serverUrl: string): Promise<string> {
  const { page, migrations } = postgresSchema()
  const sql = [page, ...migrations.map((migration) => migration.sql)]
  const name = `radar_template_${createHash('sha256').update(sql.join()).digest('hex').slice(0, 16)}`
  const lock = new pg.Client({ connectionString: serverUrl })
  await lock.connect()
  try {
    await lock.query(`select pg_advisory_lock(hashtext('${name}'))`)
    const { rows } = await lock.query(`select from pg_database where datname = '${name}'`)
    if (rows.length > 0) return name
    const unfinished = `${name}_unfinished`
    await lock.query(`drop database if exists ${unfinished} with (force)`)
    await lock.query(`create database ${unfinished}`)
    const storage = await openPostgres({ url: databaseUrl(serverUrl, unfinished) })
    await storage[Symbol.asyncDispose]()
    await lock.query(`alter database ${unfinished} rename to ${name}`)
    return name
  } finally {
    await lock.end()
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
