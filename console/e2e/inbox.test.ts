import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { CreatedToken } from '../../src/contract/console/people.ts'
import { publish } from '../../test/support/publish.ts'
import { baseline } from '../../test/support/radar.ts'
import { startRadar } from '../../test/support/radar-command.ts'
import { addApp } from '../../test/support/service.ts'
import { startBeforeSetup } from '../../test/support/setup.ts'
import { until } from '../../test/support/until.ts'
import { openBrowser, visit } from './support/browser.ts'
import { NOTES, openAs, RUNS, startSeededConsole } from './support/seeded-console.ts'

const CLICKS_MAX = 5
const later = () => new Date(Date.now() + 2_000)

/** Counts the clicks on the page. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    const counted = window as unknown as { countClick: () => void }
    // Pointer events only: the keyboard triggers clicks too.
    addEventListener('pointerdown', () => counted.countClick(), { capture: true })
  })
  return () => clicks
}

test('setup to first event takes at most five clicks and no receiver', async () => {
  // No target network is allowed, as by default.
  await using service = await startBeforeSetup({ RADAR_ALLOW_TARGET_CIDRS: '' })
  const { code, running } = service
  addApp(running.world, NOTES, { average: '4.5', count: 1_000 }, ['us'])
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor
  const clicks = await countClicks(page)
  await page.goto('/')
  await page.getByLabel('Setup code').fill(code)
  await page.getByLabel('Your name').fill('Ann')
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')

  const guide = page.getByRole('region', { name: 'Getting started' })
  await guide.getByRole('article', { name: 'Step 1: Track an app' }).waitFor()
  assert.equal(clicks(), 0)
  await guide.getByRole('link', { name: 'Find your app' }).click()
  // The field has the focus: typing needs no click.
  await page.getByLabel('App', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Larkspur')
  const found = page.getByRole('article', { name: NOTES.name })
  await found.getByRole('button', { name: 'Track', exact: true }).click()
  await page.getByRole('button', { name: 'Track in 1 storefront' }).click()
  await page.getByRole('button', { name: 'Show events in the inbox' }).click()
  await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByRole('row').filter({ hasText: 'Test' }).waitFor()
  const clicksToTest = clicks()
  assert.ok(clicksToTest <= CLICKS_MAX, `${clicksToTest} clicks`)

  // A real event needs no further click.
  await baseline(running, NOTES.appId)
  publish(running, { ...NOTES, market: 'us' }, { title: 'It crashes', rating: 1, publishedAt: later() })
  await page
    .getByRole('button', { name: 'It crashes' })
    .or(page.getByRole('link', { name: 'It crashes' }))
    .waitFor()
  assert.equal(clicks(), clicksToTest)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Reviews and deliveries' }).waitFor()
  assert.equal(await guide.count(), 0, 'the guide ends with the first event')
  assert.deepEqual(visitor.errors, [])
})

test('each step of the guide is one click', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/')
  await page.getByRole('button', { name: 'Turn on the inbox' }).click()
  await page.getByRole('heading', { name: 'Waiting for the first event' }).waitFor()
  await page.goto('/')
  await page.getByRole('article', { name: 'Step 3: See an event' }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Test' }).getByRole('button').click()
  const drawer = page.getByRole('dialog', { name: 'Test event' })
  await drawer.getByText('No request was made').waitFor()
  await drawer.getByText('x-radar-signature').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('the inbox shows new events, holds them while paused, and opens one beside the list', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  for (const app of [NOTES, RUNS]) {
    await ann.fetchJson('PUT', `/v1/tracked-apps/${app.store}/${app.appId}`, { countries: ['us'] })
  }
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/inbox')
  await page.getByRole('heading', { name: 'See events without a receiver' }).waitFor()
  await page.getByRole('button', { name: 'Turn on the inbox' }).click()
  await page.getByText(/^New reviews and rating drops of Kestrel Runs, Larkspur Notes/).waitFor()
  publish(running, { ...NOTES, market: 'us' }, { title: 'Too slow', rating: 2, publishedAt: later() })
  await page.getByRole('link', { name: 'Too slow' }).click()
  const drawer = page.getByRole('dialog', { name: 'Delivery' })
  await drawer.getByText('Signature base string of the last attempt').waitFor()
  await drawer.getByText('Shown in the inbox of the console').waitFor()
  assert.equal(await drawer.getByRole('button', { name: 'Copy as curl' }).count(), 0)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  assert.equal(await page.getByLabel('URL').count(), 0)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open the inbox' }).click()
  await page.getByText('The inbox is paused').waitFor()
  publish(running, { ...RUNS, market: 'en' }, { body: 'Lost my route', rating: 1, publishedAt: later() })
  const row = page.getByRole('row').filter({ hasText: 'Lost my route' })
  await row.getByText('Held').waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an app that the inbox names is no longer checked once tracking stops', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await ann.fetchJson('POST', '/inbox', {})
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  const tracked = () => ann.fetchJson<unknown[]>('GET', '/v1/tracked-apps')
  await page.goto(`/apps/${NOTES.store}/${NOTES.appId}`)
  await page.getByRole('button', { name: 'Edit storefronts' }).click()
  await page.getByLabel('United States').uncheck()
  assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled())
  await page.getByRole('button', { name: 'Stop tracking' }).click()
  const dialog = page.getByRole('dialog', { name: `Stop tracking ${NOTES.name}?` })
  const removal = dialog.getByLabel('Also remove it from 2 subscriptions')
  await removal.uncheck()
  await dialog.getByText('still check it in United States').waitFor()
  await removal.check()
  await dialog.getByText('The app is no longer checked').waitFor()
  await dialog.getByRole('button', { name: 'Stop tracking' }).click()
  await page.getByText(`You no longer track ${NOTES.name}. It is no longer checked.`).waitFor()
  assert.deepEqual(await tracked(), [])
  assert.deepEqual(visitor.errors, [])
})

test('a program on the own machine gets events with one copied command, although no target network is allowed', async () => {
  await using seeded = await startSeededConsole({ RADAR_ALLOW_TARGET_CIDRS: '' })
  const { running, ann, receiver } = seeded
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await ann.fetchJson('POST', '/inbox', {})
  await baseline(running, NOTES.appId)
  const { value: token } = await ann.fetchJson<CreatedToken>('POST', '/tokens', { name: 'laptop' })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/getting-started')
  await page.getByRole('button', { name: 'Copy command for your machine' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const [, url = '', command = ''] =
    /^RADAR_URL=(\S+) RADAR_TOKEN=\$TOKEN \\\n +radar (.+)$/.exec(copied) ?? []
  const forwardsTo = command.replace(/http:\S+$/, receiver.url)
  const listening = startRadar(forwardsTo.split(' '), { RADAR_URL: url, RADAR_TOKEN: token })
  try {
    await until('the command pulls', () => /from now on\n/.test(listening.out() + listening.err()))
    publish(running, { ...NOTES, market: 'us' }, { title: 'Lost my notes', publishedAt: later() })
    await receiver.received(1)
  } finally {
    listening.process.kill('SIGKILL')
  }
})
