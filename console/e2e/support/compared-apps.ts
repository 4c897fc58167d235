import type { ReviewPage } from '../../../src/contract/v1/reviews.ts'
import { publish } from '../../../test/support/publish.ts'
import { addApp } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { NOTES, RUNS, startSeededConsole } from './seeded-console.ts'

export const NOTES_FOR_ANDROID = { store: 'google', appId: 'com.example.larkspur', name: NOTES.name } as const

const DAY_MS = 24 * 3_600_000

/**
 * An app in both stores, with reviews of the versions 1.9 and 2.0 in the App Store. Version 2.0 came nine days ago: four
 * reviews with an average of 1.75. Version 1.9 has two, with an average of 4.5, one of them from 40 days ago.
 */
export async function startComparedApps() {
  const seeded = await startSeededConsole()
  const { running, ann } = seeded
  addApp(running.world, NOTES_FOR_ANDROID, { average: '4.1', count: 70 }, ['us'])
  const write = (
    app: typeof NOTES | typeof NOTES_FOR_ANDROID,
    [daysAgo, version, rating, body]: readonly [number, string, number, string],
  ) =>
    publish(
      running,
      { ...app, market: app.store === 'apple' ? 'us' : 'en' },
      {
        rating,
        version,
        body,
        publishedAt: new Date(Math.floor((Date.now() - daysAgo * DAY_MS) / 1_000) * 1_000),
      },
    )
  for (const review of [
    [1, '2.0', 1, 'It crashes every time I open a note.'],
    [2, '2.0', 1, 'The app crashes when I open it.'],
    [3, '2.0', 4, 'I like it. Please add dark mode.'],
    [9, '2.0', 1, 'Crashes since the update.'],
    [12, '1.9', 4, 'I love this app, it works very well. Please add dark mode.'],
    [40, '1.9', 5, 'I love it, wonderful app.'],
  ] as const) {
    write(NOTES, review)
  }
  for (const review of [
    [2, '3.1', 5, 'I love this app, it works very well.'],
    [4, '3.1', 3, 'Please add dark mode.'],
  ] as const) {
    write(NOTES_FOR_ANDROID, review)
  }
  for (const app of [NOTES, NOTES_FOR_ANDROID, RUNS]) {
    await ann.fetchJson('PUT', `/v1/tracked-apps/${app.store}/${app.appId}`, { countries: ['us'] })
  }
  await until('all reviews are enriched', async () => {
    const { data } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return data.length === 8 && data.every(({ enrichment }) => enrichment !== null)
  })
  return seeded
}
