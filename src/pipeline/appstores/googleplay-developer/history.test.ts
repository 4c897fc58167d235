import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailed } from '../../../../test/support/official-failure.ts'
import {
  addReviews,
  GOOGLE_APP,
  type OfficialStores,
  startOfficialStores,
} from '../../../../test/support/official-stores.ts'
import type { GooglePlayCredentials, OfficialReview } from '../official.ts'

const en = { store: 'google', appId: GOOGLE_APP, market: 'en' } as const
const DAY_MS = 24 * 3_600_000
const BUCKET = 'pubsite_prod_rev_0123456789'
const HEADER =
  'Package Name,App Version Code,App Version Name,Reviewer Language,Device,Review Submit Date and Time,Review Submit Millis Since Epoch,Review Last Update Date and Time,Review Last Update Millis Since Epoch,Star Rating,Review Title,Review Text,Developer Reply Date and Time,Developer Reply Millis Since Epoch,Developer Reply Text,Review Link'

test('the reports have all reviews with a text, with their edits and replies', async () => {
  await using stores = await startOfficialStores()
  const now = stores.clock.now()
  const ids = addReviews(stores.world, en, 120, { now, gapMs: DAY_MS })
  const [first = '', second = ''] = ids
  stores.world.editReview(
    { ...en, reviewId: first },
    { rating: 2, body: 'Worse now' },
    new Date(now.getTime() - 5 * DAY_MS),
  )
  const writtenAt = new Date(now.getTime() - 4 * DAY_MS)
  stores.world.official.setReply({ ...en, reviewId: second }, { id: 'r', text: 'Thanks, "all"', writtenAt })
  const rated = { id: 'no-text', rating: 4, title: null, body: '', author: null, version: null }
  stores.world.addReview(en, { ...rated, publishedAt: new Date(now.getTime() - 50 * DAY_MS) })
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const { reviews, ratingsOnly, steps } = await readAll(stores, credentials)
  assert.equal(ratingsOnly, 1)
  const newest = new Map(reviews.map((review) => [review.reviewId, review]))
  // The newest three days are not in the reports yet.
  assert.deepEqual([...newest.keys()].sort(), ids.slice(0, -2).sort())
  const edited = newest.get(first)
  assert.deepEqual([edited?.rating, edited?.body, edited?.edited], [2, 'Worse now', true])
  assert.equal(edited?.submittedAt?.getTime(), now.getTime() - 120 * DAY_MS)
  assert.equal(edited?.shownAt.getTime(), now.getTime() - 5 * DAY_MS)
  const replied = newest.get(second)
  assert.deepEqual([replied?.edited, replied?.reply?.text], [false, 'Thanks, "all"'])
  assert.equal(replied?.reply?.updatedAt?.getTime(), writtenAt.getTime())
  assert.equal(replied?.body, 'Text 14000000002 🎉\nwith "quotes", commas\tand <tags>')
  assert.deepEqual([replied?.title, replied?.language, replied?.author], [null, 'en', null])
  assert.equal(newest.get(ids[2] ?? '')?.title, 'Title 14000000003')
  assert.deepEqual(steps.at(-1)?.done, steps.at(-1)?.total)
})

test('a large report is read in parts of a fixed size by any process, in either encoding', async () => {
  await using stores = await startOfficialStores()
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    row({ id: `id-${index}`, text: `"Line ""one""\r\nof ${index}, äöü 🎉 ${'.'.repeat(index % 90)}"` }),
  )
  const text = `${[HEADER, ...rows].join('\r\n')}`
  const files = {
    utf16: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    utf8: Buffer.from(text, 'utf8'),
  }
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  for (const content of Object.values(files)) {
    stores.world.official.setReport(BUCKET, `reviews/reviews_${GOOGLE_APP}_202511.csv`, content)
    const { reviews, steps } = await readAll(stores, credentials)
    assert.equal(reviews.length, 10_000)
    assert.equal(new Set(reviews.map(({ reviewId }) => reviewId)).size, 10_000)
    assert.equal(reviews[9_999]?.body, `Line "one"\r\nof 9999, äöü 🎉 ${'.'.repeat(9_999 % 90)}`)
    assert.ok(steps.length > content.length / (256 * 1024))
    assert.ok(steps.every(({ done }, index) => done > (steps[index - 1]?.done ?? 0)))
  }
})

test('a report that is replaced between two parts is read again from its start', async () => {
  await using stores = await startOfficialStores()
  const name = `reviews/reviews_${GOOGLE_APP}_202511.csv`
  const body = (count: number) =>
    [
      HEADER,
      ...Array.from({ length: count }, (_, index) => row({ id: `id-${index}`, text: '.'.repeat(2_000) })),
    ].join('\n')
  const write = (count: number) => stores.world.official.setReport(BUCKET, name, Buffer.from(body(count)))
  write(1_000)
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const query = { credentials, appId: GOOGLE_APP }
  const first = await stores.google.history({ ...query, cursor: null }, stores.context)
  assert.ok(first.kind === 'ok' && first.next !== null)
  write(1_001)
  const seen = new Set<string>()
  let cursor: string | null = first.next
  while (cursor !== null) {
    const page = await stores.google.history({ ...query, cursor }, stores.context)
    assert.ok(page.kind === 'ok')
    for (const { reviewId } of page.reviews) seen.add(reviewId)
    cursor = page.next
  }
  assert.equal(seen.size, 1_001)
})

test('reports of other apps with a similar name are not read, and old links have their id', async () => {
  await using stores = await startOfficialStores()
  const link =
    'https://play.google.com/apps/publish?account=1#ReviewDetailsPlace:p=com.example&reviewid=gp:AOqp%3Dx'
  const set = (name: string, rows: readonly string[]) =>
    stores.world.official.setReport(BUCKET, name, Buffer.from([HEADER, ...rows].join('\n')))
  set(`reviews/reviews_${GOOGLE_APP}_201803.csv`, [
    row({ link, text: 'old' }),
    row({ link: '', text: 'no link' }),
  ])
  set(`reviews/reviews_${GOOGLE_APP}_pro_202511.csv`, [row({ id: 'other', text: 'other' })])
  stores.world.official.setReport(BUCKET, `reviews/reviews_${GOOGLE_APP}_201804.csv`, Buffer.alloc(0))
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const { reviews } = await readAll(stores, credentials)
  assert.equal(reviews.length, 2)
  assert.equal(reviews[0]?.reviewId, 'gp:AOqp=x')
  assert.match(reviews[1]?.reviewId ?? '', /^report:[0-9a-f]{32}$/)
})

test('malformed rows are set aside, and another format is a failure with the file', async () => {
  await using stores = await startOfficialStores()
  const set = (text: string) =>
    stores.world.official.setReport(BUCKET, `reviews/reviews_${GOOGLE_APP}_202511.csv`, Buffer.from(text))
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const query = { credentials, appId: GOOGLE_APP, cursor: null }
  const good = [1, 2, 3].map((index) => row({ id: `id-${index}`, text: 'fine' }))
  set([HEADER, ...good, row({ id: 'bad', text: 'x', stars: '6' })].join('\n'))
  const page = await stores.google.history(query, stores.context)
  assert.ok(page.kind === 'ok')
  assert.equal(page.reviews.length, 3)
  assert.match(page.malformed[0]?.reason ?? '', /no 1 to 5 stars but "6"/)
  set(`Some,Other,Columns\n1,2,3\n`)
  const changed = await stores.google.history(query, stores.context)
  assertFailed(changed, 'changed', /no column "Review Last Update Millis Since Epoch", "Star Rating"/)
  assert.match(changed.raw ?? '', /^Some,Other/)
  set(`${HEADER}\n"${'x'.repeat(2 * 1024 * 1024)}`)
  const endless = await stores.google.history(query, stores.context)
  assert.ok(endless.kind === 'ok' && endless.next !== null)
  assertFailed(
    await stores.google.history({ ...query, cursor: endless.next }, stores.context),
    'changed',
    /more than 262144 bytes/,
  )
})

test('history needs a bucket that exists and may be read', async () => {
  await using stores = await startOfficialStores()
  const credentials = stores.googleCredentials({ appIds: [GOOGLE_APP], bucket: BUCKET })
  const history = (reportsBucket: string | null) =>
    stores.google.history(
      { credentials: { ...credentials, reportsBucket }, appId: GOOGLE_APP, cursor: null },
      stores.context,
    )
  assertFailed(await history(null), 'unsupported', /add the bucket/)
  assertFailed(await history('My Bucket!'), 'bucket_not_found', /gs:\/\/pubsite_prod_rev/)
  assertFailed(await history('pubsite_prod_rev_9'), 'forbidden', /download bulk reports/)
  assert.equal((await history(`gs://${BUCKET}/reviews/`)).kind, 'ok')
  stores.world.setFault({ store: 'google', source: 'storage' }, { kind: 'status', status: 404 })
  assertFailed(await history(BUCKET), 'bucket_not_found', /There is no bucket/)
})

function row(of: { id?: string; link?: string; text: string; stars?: string }): string {
  const link = of.link ?? `http://play.google.com/console/x?reviewId=${of.id}&corpus=PUBLIC_REVIEWS`
  const at = '2025-11-05T14:40:32Z,1762353632542'
  return `${GOOGLE_APP},,1.0,pt,a06,${at},${at},${of.stars ?? '5'},,${of.text},,,,${link}`
}

async function readAll(stores: OfficialStores, credentials: GooglePlayCredentials) {
  const reviews: OfficialReview[] = []
  const steps: { done: number; total: number }[] = []
  let ratingsOnly = 0
  let cursor: string | null = null
  do {
    // New clients for each part, as after a restart.
    const page = await stores
      .restart()
      .google.history({ credentials, appId: GOOGLE_APP, cursor }, stores.context)
    assert.ok(page.kind === 'ok', JSON.stringify(page))
    assert.deepEqual(page.malformed, [])
    reviews.push(...page.reviews)
    ratingsOnly += page.ratingsOnly
    if (page.progress !== null) steps.push(page.progress)
    cursor = page.next
  } while (cursor !== null)
  return { reviews, ratingsOnly, steps }
}
