import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ReviewDetail, ReviewPage } from '../../src/contract/v1/reviews.ts'
import { startConsoleArea } from '../support/console-area.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea({ RADAR_ENRICHMENT: 'offline' })
after(() => area[Symbol.asyncDispose]())
const { ann, fetchJson, fetchError, trackStorefronts, newDestination, write } = area
await trackStorefronts()
const destination = await newDestination()
write({ rating: 1, title: 'Crash', body: 'It crashes on every start since the update. 落ちる' })
write({ rating: 5, title: 'Love', body: 'Love it' })
write({ rating: 2, title: 'Sync', body: 'Sync is broken, I lost notes.' })
await until(
  'all three reviews are stored',
  async () => (await fetchJson<ReviewPage>('GET', '/v1/reviews')).data.length === 3,
)

describe('the reviews of an account', () => {
  it('the reviews of an account are shown with their enrichment and deliveries', async () => {
    const { data: reviews } = await fetchJson<ReviewPage>('GET', '/v1/reviews?stars=2')
    const [review] = reviews
    assert.ok(review)
    const shown = await until('the review is enriched and delivered', async () => {
      const view = await fetchJson<ReviewDetail>('GET', `/v1/reviews/${review.fingerprint}`)
      return view.enrichment !== null && view.events[0]?.status === 'delivered' && view
    })
    assert.equal(shown.enriched_by, 'offline')
    assert.equal(shown.enrichment?.language, 'en')
    assert.deepEqual(
      shown.events.map(({ hook_id, status }) => [hook_id, status]),
      [[destination.id, 'delivered']],
    )
    await fetchError(404, 'GET', `/v1/reviews/${'0'.repeat(64)}`)
  })

  it('the reviews of an account are filtered and paged', async () => {
    const titles = async (query: string) =>
      (await fetchJson<ReviewPage>('GET', `/v1/reviews?${query}`)).data.map(({ title }) => title)
    assert.deepEqual(await titles(`text=${encodeURIComponent('落ち')}`), ['Crash'])
    assert.deepEqual(await titles('text=LOVE'), ['Love'])
    assert.deepEqual(await titles('stars=1,5&country=us').then((all) => all.sort()), ['Crash', 'Love'])
    assert.deepEqual(await titles('country=de'), [])
    const paged: (string | null)[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: ReviewPage = await fetchJson('GET', `/v1/reviews?limit=1${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.data.map(({ title }) => title))
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, await titles('limit=50'))
  })

  it('the reviews of an account are exported as CSV without formulas and as JSON Lines', async () => {
    write({ rating: 4, title: '=1+1', body: '+SUM(A1)\n"quoted", and more' })
    await until(
      'the review is stored',
      async () => (await fetchJson<ReviewPage>('GET', '/v1/reviews?stars=4')).data.length === 1,
    )
    const csv = await ann.request('GET', '/v1/exports/reviews?format=csv&stars=4')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="reviews.csv"')
    assert.equal(csv.headers.get('x-content-type-options'), 'nosniff')
    assert.match(csv.text, /,'=1\+1,"'\+SUM\(A1\)\n""quoted"", and more",/)
    assert.equal(csv.text.split('\r\n').length, 3)
    const lines = (await ann.request('GET', '/v1/exports/reviews?format=jsonl')).text.trim().split('\n')
    assert.equal(lines.length, 4)
    assert.equal(JSON.parse(lines[0] ?? '').rating, 4)
    assert.match(await fetchError(400, 'GET', '/v1/exports/reviews?format=xls'), /^format must be/)
  })
})
