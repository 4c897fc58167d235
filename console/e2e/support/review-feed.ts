import { publish, publishOld } from '../../../test/support/publish.ts'
import { until } from '../../../test/support/until.ts'
import { NOTES, startSeededConsole } from './seeded-console.ts'

export const US = { ...NOTES, market: 'us' } as const

/** An account with five enriched reviews, the newest of one star. */
export async function startFeed() {
  const seeded = await startSeededConsole()
  const { running, ann } = seeded
  publish(running, US, {
    rating: 1,
    version: '2.0',
    body: 'It crashes every time I open a note.',
    publishedAt: new Date(Date.now() - 5_000),
  })
  publishOld(running, US, 4)
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await until('all are enriched', async () => {
    const lines = (await ann.request('GET', '/v1/exports/reviews?format=jsonl')).text.trimEnd().split('\n')
    return lines.length === 5 && lines.every((line) => line.includes('"sentiment":"'))
  })
  return seeded
}
