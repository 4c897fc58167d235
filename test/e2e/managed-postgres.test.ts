import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createAuthority } from '../support/certificates.ts'
import { signedIn } from '../support/console-client.ts'
import { startConsumer } from '../support/consumer.ts'
import { SECRET_KEY } from '../support/on-postgres.ts'
import { startPgbouncer, WITHOUT_PGBOUNCER } from '../support/pgbouncer.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe, waitUntilProcessed } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'

const MANY_REVIEWS = 30

/** A database server as providers offer it: TLS by an authority of their own, passwords, roles with few rights. */
const authority = createAuthority()
const folder = mkdtempSync(join(tmpdir(), 'radar-authority-'))
const caFile = join(folder, 'ca.pem')
writeFileSync(caFile, authority.certificate)
const otherCaFile = join(folder, 'other-ca.pem')
writeFileSync(otherCaFile, createAuthority().certificate)

let plain: OwnPostgres
let secure: OwnPostgres

/** `radar migrate`, which opens the database as the service does. */
function open(url: string, settings: Readonly<Record<string, string>> = {}) {
  return radarCommand(['migrate'], {
    RADAR_DATABASE_URL: url,
    RADAR_SECRET_KEY: SECRET_KEY,
    ...settings,
  })
}

async function assertOpens(url: string, settings?: Readonly<Record<string, string>>) {
  assert.deepEqual(await open(url, settings), {
    status: 0,
    out: 'The database has the newest schema.\n',
    err: '',
  })
}

/** One line that begins with the command and ends as a sentence. */
async function assertRefused(url: string, sentence: RegExp, settings?: Readonly<Record<string, string>>) {
  const { status, out, err } = await open(url, settings)
  assert.deepEqual([status, out], [1, ''], err)
  assert.match(err, /^radar migrate: .*\.\n$/)
  assert.match(err, sentence)
}

function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  return changed.href
}

function asRole(url: string, name: string, password: string): string {
  const changed = new URL(url)
  changed.username = name
  changed.password = password
  return changed.href
}

before(async () => {
  plain = await startOwnPostgres({
    access: ['host all postgres all trust', 'host all all all scram-sha-256'],
  })
  secure = await startOwnPostgres({
    tls: authority.issue('localhost'),
    access: ['host postgres all all trust', 'hostssl all all all trust', 'hostnossl all all all reject'],
  })
})
after(async () => {
  await plain[Symbol.asyncDispose]()
  await secure[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

describe('the service behind PgBouncer', { skip: WITHOUT_PGBOUNCER }, () => {
  for (const mode of ['session', 'transaction'] as const) {
    it(`the service behind PgBouncer in ${mode} mode migrates, delivers, signs users in, and changes no setting of others`, async () => {
      const direct = await plain.newDatabase()
      await using pgbouncer = await startPgbouncer(mode, direct)
      const url = pgbouncer.through(direct)
      await using consumer = await startConsumer()
      await using radar = await startTestService({
        RADAR_DATABASE_URL: url,
        RADAR_SECRET_KEY: SECRET_KEY,
      })
      const place = { store: 'google', appId: 'com.example.pooled', market: 'en' } as const
      addApp(radar.world, place)
      const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const
      await subscribe(await radar.person('Alice'), consumer, 'pooled', wants)
      await baseline(radar, place.appId)
      for (let count = 0; count < MANY_REVIEWS; count += 1) publish(radar, place)
      await waitUntilProcessed(radar, place.appId)
      assert.equal(consumer.events('pooled').length, MANY_REVIEWS)
      assert.equal(consumer.requests('pooled').length, MANY_REVIEWS)
      await signedIn(radar, 'Bob')
      await assertForeignSettings(url)
    })
  }
})

/** Another program that uses the same pooler. */
async function assertForeignSettings(url: string): Promise<void> {
  const clients = Array.from({ length: 3 }, () => new pg.Client(url))
  await Promise.all(clients.map((client) => client.connect()))
  try {
    await Promise.all(clients.map((client) => client.query('begin')))
    for (const client of clients) {
      const { rows } = await client.query(
        "select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout, count(*) as listening from pg_listening_channels()",
      )
      assert.deepEqual(rows, [{ seqscan: 'on', timeout: '0', listening: '0' }])
    }
  } finally {
    for (const client of clients) await client.end()
  }
}

describe('the sslmode of a database URL', () => {
  it('the sslmode of a database URL has the meaning of libpq at a server with TLS by an own authority', async () => {
    const url = await secure.newDatabase()
    const as = (sslmode: string) => withParameters(url.replace('127.0.0.1', 'localhost'), { sslmode })
    await assertOpens(url)
    for (const mode of ['allow', 'prefer', 'require', 'no-verify']) await assertOpens(as(mode))
    await assertRefused(
      as('disable'),
      /authentication failed \(pg_hba.conf rejects connection .* no encryption\)/,
    )
    const untrusted = /its certificate cannot be verified .* set RADAR_DATABASE_CA_FILE to /
    for (const mode of ['verify-ca', 'verify-full']) await assertRefused(as(mode), untrusted)
    const settings = { RADAR_DATABASE_CA_FILE: caFile }
    for (const mode of ['require', 'verify-ca', 'verify-full']) await assertOpens(as(mode), settings)
    const byAddress = withParameters(url, { sslmode: 'verify-ca' })
    await assertOpens(byAddress, settings)
    await assertRefused(withParameters(url, { sslmode: 'verify-full' }), untrusted, settings)
    await assertOpens(withParameters(byAddress, { sslrootcert: caFile }))
    for (const mode of ['prefer', 'require'])
      await assertRefused(as(mode), untrusted, { RADAR_DATABASE_CA_FILE: otherCaFile })
    await assertRefused(withParameters(as('prefer'), { sslrootcert: 'system' }), untrusted)
  })

  it('the sslmode of a database URL has the meaning of libpq at a server without TLS', async () => {
    const url = await plain.newDatabase()
    for (const sslmode of ['disable', 'allow', 'prefer']) await assertOpens(withParameters(url, { sslmode }))
    for (const sslmode of ['require', 'verify-ca', 'verify-full'])
      await assertRefused(withParameters(url, { sslmode }), /no connection \(The server does not support SSL/)
    await assertRefused(url, /The server does not support SSL/, { RADAR_DATABASE_CA_FILE: caFile })
    await assertRefused(withParameters(url, { sslmode: 'required' }), /whose sslmode may be disable, allow, /)
    const nowhere = '/nowhere/ca.pem'
    await assertRefused(
      withParameters(url, { sslrootcert: nowhere }),
      /sslrootcert is \/nowhere\/ca.pem, which cannot/,
    )
    await assertRefused(url, /RADAR_DATABASE_CA_FILE must be a file that this user can read/, {
      RADAR_DATABASE_CA_FILE: nowhere,
    })
  })

  it('the sslmode of a database URL holds for the whole service and its users', async () => {
    const url = withParameters((await secure.newDatabase()).replace('127.0.0.1', 'localhost'), {
      sslmode: 'verify-full',
    })
    await using radar = await startTestService({
      RADAR_DATABASE_URL: url,
      RADAR_DATABASE_CA_FILE: caFile,
      RADAR_SECRET_KEY: SECRET_KEY,
    })
    await signedIn(radar, 'Alice')
    assert.equal((await radar.request('/readyz')).status, 200)
  })
})

describe('a refusal of the database server', () => {
  before(async () => {
    await plain.query("create role limited login password 'right'")
  })

  it('a refusal of the database server is one sentence that names what to do', async () => {
    const url = await plain.newDatabase()
    await assertRefused(asRole(url, 'limited', 'right'), /grant create on schema public to <role>/)
    await assertRefused(
      asRole(url, 'limited', 'wrong'),
      /authentication failed \(password authentication failed/,
    )
    await assertRefused(asRole(url, 'limited', ''), /no connection \(SASL: .*password/)
    await assertRefused(asRole(url, 'nobody', 'any'), /authentication failed/)
    const missing = new URL(url)
    missing.pathname = '/missing'
    await assertRefused(
      missing.href,
      /there is no database of that name \(database "missing" does not exist\)/,
    )
  })

  it('a database that cannot store all reviews is refused before its first table', async () => {
    await plain.query("create database latin encoding 'LATIN1' template template0")
    const url = new URL(await plain.newDatabase())
    url.pathname = '/latin'
    await assertRefused(url.href, /has the encoding LATIN1, .*encoding 'UTF8' template template0/)
  })
})
