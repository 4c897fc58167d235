import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createServiceAccount } from '../../src/simulate/official/connect.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld } from '../../src/simulate/world.ts'
import { radarCommand } from '../support/radar-command.ts'

const APP = '999000111'
const PACKAGE = 'com.example.atlas'

test('check-store shows which sources have the known shape, and keeps every answer without names and texts', async () => {
  await using stores = await simulatedStores()
  stores.world.setFault({ store: 'apple', source: 'web' }, { kind: 'changed' })
  stores.world.setFault({ store: 'apple', source: 'row' }, { kind: 'status', status: 429 })
  stores.world.setFault({ store: 'apple', source: 'page' }, { kind: 'status', status: 500 })
  const folder = join(stores.folder, 'apple')
  const { status, out, err } = await stores.check(`apple/${APP}`, '--folder', folder)
  const answers = Object.fromEntries(
    out
      .split('\n')
      .map((line) => line.split(/ {2,}/))
      .filter((cells) => cells.length > 4)
      .map(([source, , answer]) => [source, answer]),
  )
  assert.deepEqual(answers, {
    SOURCE: 'ANSWER',
    rss: 'known',
    rss_xml: 'known',
    web: 'changed',
    row: 'blocked',
    row_4: 'blocked',
    page: 'unknown',
    lookup: 'known',
    search: 'known',
  })
  assert.match(out, /rss +reviews +known +200 +\d+ +1 review\. Newest: 2026-07-01 12:00:00Z\./)
  assert.match(out, /lookup +rating +known +200 +\d+ +4\.5 of 5 from 1,000 ratings\./)
  assert.match(err, /The format of web has changed: report it with .*apple\/web\.txt\./)
  assert.equal(status, 0, err)
  assert.deepEqual((await readdir(folder)).sort(), [
    'lookup.txt',
    'page.txt',
    'row.txt',
    'row_4.txt',
    'rss.txt',
    'rss_xml.txt',
    'search.txt',
    'web.txt',
  ])
  const rss = await readFile(join(folder, 'rss.txt'), 'utf8')
  assert.match(rss, /^GET http:\/\/127\.0\.0\.1:\d+\/us\/rss\/customerreviews\/.*\naccept: \*\/\*\n\n200\n/)
  assert.match(rss, /x xxxxxx xxxx x xxxx/)
  assert.doesNotMatch(rss, /A review with a text|Ann|Title/)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  const sources = stores.world.requests('apple').map(({ source }) => source)
  assert.deepEqual(sources, ['rss', 'rss', 'web', 'row', 'row', 'page', 'lookup', 'search'])
})

test('check-store keeps names and texts with --raw', async () => {
  await using stores = await simulatedStores()
  const folder = join(stores.folder, 'raw')
  const { out } = await stores.check(`apple/${APP}`, '--raw', '--folder', folder)
  assert.match(out, /with names and texts of reviewers/)
  assert.match(await readFile(join(folder, 'rss.txt'), 'utf8'), /A review with a text/)
})

test('check-store prints JSON lines, and fails when the store has no reviews of the app', async () => {
  await using stores = await simulatedStores()
  const folder = join(stores.folder, 'google')
  const { status, out, err } = await stores.check(
    `google/${PACKAGE}`,
    '--json',
    '--country',
    'de',
    '--folder',
    folder,
  )
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  assert.deepEqual(
    lines.map(({ source, serves, answer, file }) => [source, serves, answer, file]),
    [
      ['UsvDTd', 'reviews', 'empty', join(folder, 'UsvDTd.txt')],
      ['oCPfdb', 'reviews', 'empty', join(folder, 'oCPfdb.txt')],
      ['oCPfdb_phone', 'reviews', 'empty', join(folder, 'oCPfdb_phone.txt')],
      ['details', 'rating', 'empty', join(folder, 'details.txt')],
      ['search', 'search', 'known', join(folder, 'search.txt')],
    ],
  )
  assert.equal(
    err,
    `No source has reviews of ${PACKAGE} in de.\nNo source has the rating of ${PACKAGE} in de.\n`,
  )
  assert.equal(status, 1)
})

test('check-store requests the official API with a key file, and stores no secret', async () => {
  await using stores = await simulatedStores()
  const place = { store: 'google', appId: PACKAGE, market: 'en' } as const
  const review = { rating: 4, title: null, body: 'Official text', author: 'Ann', version: '1.0' }
  for (const days of [1, 40]) {
    const publishedAt = new Date(systemClock.now().getTime() - days * 24 * 3_600_000)
    stores.world.addReview(place, { ...review, id: `id-${days}`, publishedAt })
  }
  const file = createServiceAccount(stores.world, { appIds: [PACKAGE], bucket: 'pubsite_prod_rev_1' })
  const keyFile = join(stores.folder, 'account.json')
  await writeFile(keyFile, JSON.stringify(file))
  const folder = join(stores.folder, 'official')
  const { status, out, err } = await stores.check(
    ...[`google/${PACKAGE}`, '--key-file', keyFile, '--reports-bucket', 'pubsite_prod_rev_1'],
    ...['--folder', folder, '--raw'],
  )
  assert.match(out, /googleplay-developer +reviews +known +200 +\d+ +1 review\./, err)
  assert.match(out, /reports +reviews +known +206 +\d+ +1 review\./, err)
  assert.equal(status, 1, 'the app has no rating')
  const saved = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  assert.ok(saved.some((text) => text.includes('Official text')))
  assert.ok(saved.every((text) => !/assertion|ya29|Bearer|PRIVATE KEY/.test(text)))
  const none = await stores.check(
    `apple/${APP}`,
    '--key-file',
    keyFile,
    '--folder',
    join(stores.folder, 'none'),
  )
  assert.equal(none.status, 2)
  assert.match(none.err, /--key-id must be the ten/)
  assert.ok(!(await readdir(stores.folder)).includes('none'))
})

test('a report of check-store has the facts of each source, and no name, title or text of an answer', async () => {
  await using stores = await simulatedStores()
  const texts: string[] = []
  for (const [place, idOf] of [
    [{ store: 'apple', appId: APP, market: 'us' }, (at: number) => String(14_000_000_100 - at)],
    [{ store: 'google', appId: PACKAGE, market: 'en' }, (at: number) => `gp:${at}`],
  ] as const) {
    for (let at = 0; at < 20; at += 1) {
      const review = {
        title: `Zqtitle${at}`,
        body: `Zqbody${at} “Æ” <b>`,
        author: `Zqname${at}`,
        version: '2.1.0',
      }
      const publishedAt = new Date(systemClock.now().getTime() - (28 + at) * 3_600_000)
      stores.world.addReview(place, { ...review, id: idOf(at), rating: 3, publishedAt })
      texts.push(review.title, review.body, review.author)
    }
  }
  const reportOf = async (app: string) => {
    const folder = join(stores.folder, app.replace('/', '-'))
    const { out, err } = await stores.check(app, '--report', '--folder', folder)
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    )
    await rm(folder, { recursive: true })
    for (const text of [out, err, ...files]) {
      assert.deepEqual(
        texts.filter((one) => text.includes(one)),
        [],
      )
      assert.doesNotMatch(text, /zq/i)
    }
    assert.match(out, /^```\nReview Radar .*\n[\s\S]*\n```\n$/)
    return out
  }
  const apple = await reportOf(`apple/${APP}`)
  assert.match(
    apple,
    /^rss \(reviews\): known, status 200, \d+ bytes, \d+ ms, 21 rows, newest first, newest 28\.0 h old, others show 100 % of it$/m,
  )
  assert.match(apple, /^ {2}feed\.entry\[\]\.author\.name\.label: string$/m)
  assert.match(apple, /^ {2}content-type: /m)
  const google = await reportOf(`google/${PACKAGE}`)
  assert.match(google, /^UsvDTd \(reviews\): known, .* 20 rows, newest first/m)
  assert.match(google, /\(json\)\[0\]\[\]\[5\]\[0\]: number/)

  stores.world.setFault({ store: 'apple', source: 'web' }, { kind: 'changed' })
  stores.world.setFault({ store: 'apple', source: 'row' }, { kind: 'unsorted' })
  stores.world.setFault(
    { store: 'apple', source: 'rss' },
    { kind: 'malformed_rows', reviewIds: ['14000000100'] },
  )
  const faulty = await reportOf(`apple/${APP}`)
  assert.match(faulty, /^rss .* 1 malformed rows/m)
  assert.match(faulty, /^web \(reviews\): changed, .*changed$/m)
  assert.match(faulty, /^row \(reviews\): changed, .*not newest first.*unsorted$/m)
})

test('check-store rejects other texts than an app, and an existing folder', async () => {
  await using stores = await simulatedStores()
  const wrong = await stores.check('310633997')
  assert.equal(wrong.status, 2)
  assert.match(wrong.err, /apple\/ID or google\/PACKAGE/)
  const country = await stores.check(`apple/${APP}`, '--country', 'uk')
  assert.equal(country.status, 2)
  assert.match(country.err, /--country must be one of us, gb/)
  const notAnId = await stores.check('apple/atlas')
  assert.deepEqual([notAnId.status, notAnId.out], [2, ''])
  const keyFile = join(stores.folder, 'key.json')
  await writeFile(keyFile, 'not a key')
  const wrongKey = await stores.check(`google/${PACKAGE}`, '--key-file', keyFile)
  assert.equal(wrongKey.status, 2)
  assert.match(wrongKey.err, /--key-file must be the JSON key file of a service account/)
  const exists = await stores.check(`apple/${APP}`, '--folder', stores.folder)
  assert.equal(exists.status, 1)
  assert.match(exists.err, /cannot be created/)
  assert.deepEqual(stores.world.requests(), [])
})

test('check-store leaves no folder behind when no store answers', async () => {
  await using stores = await simulatedStores()
  await stores.stop()
  const folder = join(stores.folder, 'unreachable')
  const { status, out } = await stores.check(`apple/${APP}`, '--folder', folder)
  assert.equal(status, 1)
  assert.match(out, /No source answered, so nothing was saved\./)
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})

async function simulatedStores() {
  const folder = await mkdtemp(join(tmpdir(), 'radar-check-store-'))
  const world = createWorld()
  const simulation = await startSimulation({ host: '127.0.0.1', world, clock: systemClock, log: silentLog })
  for (const [store, appId] of [
    ['apple', APP],
    ['google', PACKAGE],
  ] as const) {
    world.addApp({ store, appId, name: 'Atlas Notes', developer: 'Example', iconUrl: null })
  }
  world.setRating({ store: 'apple', appId: APP, storefront: 'us' }, { average: '4.5', count: 1_000 })
  world.addReview(
    { store: 'apple', appId: APP, market: 'us' },
    {
      id: '14000000001',
      rating: 4,
      title: 'Title',
      body: 'A review with a text',
      author: 'Ann',
      version: '1.0',
      publishedAt: new Date('2026-07-01T12:00:00Z'),
    },
  )
  return {
    world,
    folder,
    check: (...words: readonly string[]) =>
      radarCommand(['check-store', ...words], {
        RADAR_APPLE_ITUNES_URL: simulation.appleUrl,
        RADAR_APPLE_WEB_URL: simulation.appleUrl,
        RADAR_GOOGLE_PLAY_URL: simulation.googleUrl,
        RADAR_GOOGLE_PLAY_DEVELOPER_URL: simulation.googleUrl,
        RADAR_GOOGLE_OAUTH_URL: simulation.googleUrl,
        RADAR_GOOGLE_STORAGE_URL: simulation.googleUrl,
      }),
    stop: () => simulation[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await simulation[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
