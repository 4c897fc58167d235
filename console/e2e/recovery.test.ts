import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openDestination, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

/** Retries wait for an hour, so only the user's actions send events again. */
const start = () => startSeededConsole({ RADAR_RETRY_WAITS: '1h,1h,1h' })

/** Publishes reviews and waits until one attempt of each has failed. */
async function fail({ running, receiver }: SeededConsole, count: number): Promise<void> {
  receiver.answerWith(500)
  for (let nth = 0; nth < count; nth += 1) {
    publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  }
  await receiver.received(count)
}

test('a pending delivery is retried from its page', async () => {
  await using seeded = await start()
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await fail(seeded, 1)
  seeded.receiver.answerWith(204)
  await page.goto('/deliveries?status=pending')
  await page.getByRole('link', { name: /^Title/ }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('heading', { name: 'New review', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.getByText('Delivered', { exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Retry now' }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('all pending deliveries of a destination are retried at once', async () => {
  await using seeded = await start()
  await using visitor = await openDestination(seeded)
  const { page } = visitor
  await fail(seeded, 3)
  seeded.receiver.answerWith(204)
  await page.getByRole('button', { name: 'Retry all pending' }).click()
  await seeded.receiver.received(6)
  await page.getByRole('button', { name: 'Retry all pending' }).waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})

test('a recovery shows how many events it sends, and its progress', async () => {
  await using seeded = await start()
  const { running, ann, receiver } = seeded
  await using visitor = await openDestination(seeded)
  const { page, id } = visitor
  publish(running, { ...NOTES, market: 'us' }, { publishedAt: new Date(Date.now() + 2_000) })
  await receiver.received(1)
  await until('the event is delivered', async () => {
    const { health } = await ann.fetchJson<{ health: { delivered24h: number } }>('GET', `/destinations/${id}`)
    return health.delivered24h === 1
  })
  await page.getByRole('button', { name: 'Replay missed events' }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Nothing to replay' }).isDisabled())
  await dialog.getByLabel('Include delivered events').check()
  await dialog.getByText('1 delivered: replayed').waitFor()
  assert.deepEqual(await findings(page), [])
  await dialog.getByRole('button', { name: 'Replay 1 event' }).click()
  await receiver.received(2)
  const progress = page.getByRole('region', { name: 'Replay' })
  await progress.getByText(/Replay of 1 missed event/).waitFor()
  await progress.getByText(/1 delivered/).waitFor()
  const [first, again] = receiver.requests
  assert.ok(first && again && first.body.equals(again.body))
  assert.deepEqual(visitor.errors, [])
})
