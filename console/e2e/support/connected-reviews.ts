import type { ReplyRow } from '../../../src/contract/v1/replies.ts'
import type { ReviewPage } from '../../../src/contract/v1/reviews.ts'
import type { StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import { createServiceAccount } from '../../../src/simulate/official/connect.ts'
import { publish } from '../../../test/support/publish.ts'
import { until } from '../../../test/support/until.ts'
import { RUNS, type SeededConsole, startSeededConsole } from './seeded-console.ts'

export const AUTHORS = ['Ada', 'Ben', 'Cleo'] as const
export type Author = (typeof AUTHORS)[number]

/** Where a new review of the connected app appears. */
export const CONNECTED = { ...RUNS, market: 'en' } as const

/** Connects Google Play, with a review of each author: of two, one and three stars. `of` returns their fingerprints. */
export async function startConnected(settings: Readonly<Record<string, string>> = {}) {
  // Polls and answers share the 200 reads an hour of Google Play, which must last for a test on a busy machine.
  const seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '1s', ...settings })
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/google/${RUNS.appId}`, { countries: ['us'] })
  const file = createServiceAccount(running.world, { appIds: [RUNS.appId] })
  const { id } = await ann.fetchJson<StoreConnectionView>('POST', '/v1/store-connections', {
    kind: 'googleplay-developer',
    service_account: JSON.stringify(file),
    app_ids: [RUNS.appId],
  })
  await ann.fetchJson('PUT', `/v1/store-connections/${id}/apps/${RUNS.appId}`)
  for (const [index, author] of AUTHORS.entries())
    publish(running, CONNECTED, {
      author,
      body: `It crashes, says ${author}.`,
      rating: [2, 1, 3][index] ?? 1,
    })
  const reviews = await until('the reviews are stored', async () => {
    const page = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return page.data.length === AUTHORS.length && page.data
  })
  const of = (author: Author) => reviews.find((review) => review.author === author)?.fingerprint ?? ''
  return { seeded, of }
}

export function replyOf({ ann }: SeededConsole, fingerprint: string): Promise<ReplyRow> {
  return ann.fetchJson<ReplyRow>('GET', `/v1/reviews/${fingerprint}/reply`)
}
