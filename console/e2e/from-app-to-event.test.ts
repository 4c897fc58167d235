import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publish, publishOld } from '../../test/support/publish.ts'
import { signatureOf } from '../../test/support/receiver.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('a new account tracks an app and gets a signed event', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann, receiver } = seeded
  publishOld(running, { ...NOTES, market: 'us' }, 3)
  await using visitor = await openAs(running, ann)
  const { page } = visitor

  await page.goto('/')
  await page.getByRole('link', { name: 'Find your app' }).click()
  await page.getByLabel('App', { exact: true }).fill('Larkspur')
  const found = page.getByRole('article', { name: 'Larkspur Notes' })
  await found.getByRole('button', { name: 'Track', exact: true }).click()
  await page.getByLabel('Germany').check()
  await page.getByRole('button', { name: 'Track in 2 storefronts' }).click()
  await page.getByRole('link', { name: 'View the app' }).click()

  await page.getByRole('heading', { name: 'Larkspur Notes', level: 1 }).waitFor()
  await page.getByText('4.50').first().waitFor()
  await page.getByRole('link', { name: 'Feeds' }).click()
  await page.getByRole('region', { name: 'Feeds' }).getByText('4 feeds, all healthy').waitFor()
  await page.getByRole('link', { name: 'View reviews' }).click()
  await page.getByRole('article').nth(2).waitFor()

  await page.goto('/destinations')
  await page.getByRole('link', { name: 'Add a destination' }).first().click()
  await page.getByLabel('URL').fill(receiver.url)
  await page.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: /Larkspur Notes/ }).click()
  await page.getByText(/New reviews.*Larkspur Notes/).waitFor()
  await page.getByRole('button', { name: 'Add destination' }).click()
  await page.getByText('Copy the signing secret now').waitFor()
  const secret =
    (await page
      .locator('code')
      .filter({ hasText: /^whsec_/ })
      .textContent()) ?? ''
  await page.getByRole('link', { name: 'Send a test event' }).click()

  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Accepted, HTTP 204').waitFor()
  const [sample] = await receiver.received(1)
  assert.equal(sample?.headers['x-radar-signature'], signatureOf(sample?.body ?? Buffer.of(), secret))

  publish(
    running,
    { ...NOTES, market: 'us' },
    { body: 'Crashes when I open a note', rating: 1, publishedAt: new Date(Date.now() + 2_000) },
  )
  const [, event] = await receiver.received(2)
  assert.equal(event?.headers['x-radar-signature'], signatureOf(event?.body ?? Buffer.of(), secret))

  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  await page
    .getByRole('row')
    .filter({ hasText: 'Delivered' })
    .getByRole('link', { name: /^Title/ })
    .click()
  await page.getByRole('dialog').getByText('Crashes when I open a note').first().waitFor()
  assert.equal(await page.getByText(secret).count(), 0, 'the secret is shown once')

  await page.goto('/')
  await page.getByText('Three steps to your first event').waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})

test('a store that does not answer is distinguished from an app that does not exist', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const heal = (['apple', 'google'] as const).map((store) =>
    running.world.setFault({ store, source: 'search' }, { kind: 'drop' }),
  )
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/apps/add')
  await page.getByLabel('App', { exact: true }).fill('Larkspur')
  await page.getByRole('heading', { name: 'A store did not answer' }).waitFor()
  assert.equal(await page.getByText('No apps found').count(), 0)
  for (const one of heal) one()
  await page.getByRole('button', { name: 'Search again' }).click()
  await page.getByRole('article', { name: 'Larkspur Notes' }).first().waitFor()
  await page.getByLabel('App', { exact: true }).fill('no such app anywhere')
  await page.getByRole('heading', { name: 'No apps found' }).waitFor()
})
