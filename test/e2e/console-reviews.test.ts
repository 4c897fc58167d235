import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { ReviewsPage, ReviewView } from '../../src/contract/console/reviews.ts'
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
  async () => (await fetchJson<ReviewsPage>('GET', '/reviews')).reviews.length === 3,
)

describe('the reviews of an account', () => {
  it('the reviews of an account are shown with their enrichment and deliveries', async () => {
    const { reviews } = await fetchJson<ReviewsPage>('GET', '/reviews?stars=2')
    const [review] = reviews
    assert.ok(review)
    const shown = await until('the review is enriched and delivered', async () => {
      const view = await fetchJson<ReviewView>('GET', `/reviews/${review.fingerprint}`)
      return view.enrichment !== null && view.events[0]?.status === 'delivered' && view
    })
    assert.equal(shown.enrichedBy, 'offline')
    assert.equal(shown.enrichment?.language, 'en')
    assert.deepEqual(
      shown.events.map(({ hookId, status }) => [hookId, status]),
      [[destination.id, 'delivered']],
    )
    await fetchError(404, 'GET', `/reviews/${'0'.repeat(64)}`)
  })

  it('the reviews of an account are filtered and paged', async () => {
    const titles = async (query: string) =>
      (await fetchJson<ReviewsPage>('GET', `/reviews?${query}`)).reviews.map(({ title }) => title)
    assert.deepEqual(await titles(`text=${encodeURIComponent('落ち')}`), ['Crash'])
    assert.deepEqual(await titles('text=LOVE'), ['Love'])
    assert.deepEqual(await titles('stars=1,5&storefront=us').then((all) => all.sort()), ['Crash', 'Love'])
    assert.deepEqual(await titles('storefront=de'), [])
    const paged: (string | null)[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: ReviewsPage = await fetchJson('GET', `/reviews?limit=1${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.reviews.map(({ title }) => title))
      cursor = page.next
    }
    assert.deepEqual(paged, await titles('limit=50'))
  })

  it('the reviews of an account are exported as CSV without formulas and as JSON Lines', async () => {
    write({ rating: 4, title: '=1+1', body: '+SUM(A1)\n"quoted", and more' })
    await until(
      'the review is stored',
      async () => (await fetchJson<ReviewsPage>('GET', '/reviews?stars=4')).reviews.length === 1,
    )
    const csv = await ann.request('GET', '/reviews/export?format=csv&stars=4')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="reviews.csv"')
    assert.equal(csv.headers.get('x-content-type-options'), 'nosniff')
    assert.match(csv.text, /,'=1\+1,"'\+SUM\(A1\)\n""quoted"", and more",/)
    assert.equal(csv.text.split('\r\n').length, 3)
    const lines = (await ann.request('GET', '/reviews/export?format=jsonl')).text.trim().split('\n')
    assert.equal(lines.length, 4)
    assert.equal(JSON.parse(lines[0] ?? '').rating, 4)
    assert.match(await fetchError(400, 'GET', '/reviews/export?format=xls'), /format:/)
  })
})
