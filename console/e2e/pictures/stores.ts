import { join } from 'node:path'
import type { ReviewPage } from '../../../src/contract/v1/reviews.ts'
import type { StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import { createAppleKey } from '../../../src/simulate/official/connect.ts'
import { appleBody } from '../../../test/support/connect-store.ts'
import { publish } from '../../../test/support/publish.ts'
import { until } from '../../../test/support/until.ts'
import { NOTES, openAs, type SeededConsole, startSeededConsole } from '../support/seeded-console.ts'

const WIDTH = 1000
const HEIGHT = 900
const MARGIN = 14
const REVIEW = {
  author: 'Mia from Leeds',
  title: 'Crashes since the update',
  body: 'Since 4.2 it closes whenever I open a shared list. It was quick and reliable before.',
  rating: 2,
}
const PUBLISHED =
  'Thank you, Mia. Version 4.2.1 opens shared lists again; it has been in the store since this morning.'
const REFUSED = 'Thank you, Mia. We are working on it.'

/** Draws the pictures of `docs/how-to/connect-your-store.md`: connecting, a review with its answer, and a refused answer. */
export async function drawStores(folder: string): Promise<void> {
  await drawConnection(folder)
  await drawAnswer(folder, {
    role: 'ADMIN',
    text: PUBLISHED,
    state: 'Published',
    name: 'answer-published.png',
  })
  await drawAnswer(folder, {
    ...{ role: 'CUSTOMER_SUPPORT', text: REFUSED, state: 'Refused', name: 'answer-refused.png' },
  })
}

async function drawConnection(folder: string): Promise<void> {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await using visitor = await openAs(running, ann, { width: WIDTH, height: HEIGHT })
  const { page } = visitor
  const key = createAppleKey(running.world)
  await page.goto('/stores')
  await page.getByRole('button', { name: 'Connect a store' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Private key').fill('-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----')
  await form.getByLabel('Key ID').fill(key.keyId)
  await form.getByLabel('Issuer ID').fill(key.issuerId ?? '')
  await form.screenshot({ path: join(folder, 'connect-a-store.png') })
}

async function drawAnswer(
  folder: string,
  answer: {
    readonly role: 'ADMIN' | 'CUSTOMER_SUPPORT'
    readonly text: string
    /** The badge to wait for. */
    readonly state: string
    readonly name: string
  },
): Promise<void> {
  await using seeded = await startSeededConsole({ RADAR_OFFICIAL_POLL_INTERVAL: '100ms' })
  const fingerprint = await connectedReview(seeded, answer.role)
  await using visitor = await openAs(seeded.running, seeded.ann, { width: WIDTH, height: HEIGHT })
  const { page } = visitor
  await page.goto(`/reviews/${fingerprint}`)
  const card = page.getByRole('region', { name: 'Answer' })
  await card.getByLabel('Your answer').fill(answer.text)
  await card.getByRole('button', { name: 'Publish' }).click()
  if (answer.state === 'Published') {
    await card.getByText('Accepted, not shown yet').waitFor()
    seeded.running.clock.leap(6 * 60_000)
    // The page counts from its own time.
    await page.clock.setFixedTime(seeded.running.clock.now())
    await page.reload()
  }
  await card.getByText(answer.state, { exact: true }).waitFor()
  await page.getByText('Enriched by the offline engine').waitFor()
  const box = await card.boundingBox()
  if (box === null) throw new Error('the answer is not visible')
  const clip = {
    x: box.x - MARGIN,
    y: 64,
    width: box.width + 2 * MARGIN,
    height: box.y + box.height - 64 + MARGIN,
  }
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, answer.name), clip })
}

/** A new review of an app that is connected with a key of this role. Returns its fingerprint. */
async function connectedReview({ running, ann }: SeededConsole, role: 'ADMIN' | 'CUSTOMER_SUPPORT') {
  await ann.fetchJson('PUT', `/v1/tracked-apps/apple/${NOTES.appId}`, { countries: ['us'] })
  const body = appleBody(createAppleKey(running.world, { role }))
  const { id } = await ann.fetchJson<StoreConnectionView>('POST', '/v1/store-connections', body)
  await ann.fetchJson('PUT', `/v1/store-connections/${id}/apps/${NOTES.appId}`)
  publish(running, { ...NOTES, market: 'us' }, REVIEW)
  return until('the review is stored', async () => {
    const { data: reviews } = await ann.fetchJson<ReviewPage>('GET', '/v1/reviews')
    return reviews.find(({ source }) => source === 'appstoreconnect')?.fingerprint
  })
}
