import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startComparedApps } from './support/compared-apps.ts'
import { NOTES, openAs, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

/** How many clicks a task takes from the overview. Typing is no click, but choosing the field is. */

/** The overview in a browser, and a click that counts. */
async function openOverview({ running, ann }: Pick<SeededConsole, 'running' | 'ann'>) {
  const visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  let clicks = 0
  return {
    page,
    click: async (target: Locator) => {
      clicks += 1
      await target.click()
    },
    clicks: () => clicks,
    [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose](),
  }
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const navigation = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true })

test('comparing the last two versions of an app takes three clicks', async () => {
  await using seeded = await startComparedApps()
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  await click(navigation(page, 'Apps'))
  await click(link(page, NOTES.name).first())
  await click(link(page, 'Compare versions'))
  await page.getByRole('columnheader', { name: /^Larkspur Notes 2\.0/ }).waitFor()
  await page.getByRole('columnheader', { name: /^Larkspur Notes 1\.9/ }).waitFor()
  await page.waitForURL(/version1=2\.0.*version2=1\.9/)
  assert.equal(clicks(), 3)
})

test('the first event of a new account takes five clicks', async () => {
  await using seeded = await startSeededConsole()
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  await click(link(page, 'Find your app'))
  // The field has the focus already.
  await page.getByLabel('App', { exact: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Larkspur')
  const found = page.getByRole('article', { name: NOTES.name })
  await click(found.getByRole('button', { name: 'Track', exact: true }))
  await click(page.getByRole('button', { name: 'Track in 1 storefront' }))
  await click(page.getByRole('button', { name: 'Show events in the inbox' }))
  await click(page.getByRole('button', { name: 'Send a test event' }))
  await page.getByRole('row').filter({ hasText: 'Test' }).waitFor()
  assert.equal(clicks(), 5)
})

test('a Slack destination with a test message takes eight clicks', async () => {
  await using seeded = await startSeededConsole()
  const { ann, receiver } = seeded
  receiver.answerWith(200, {}, 'ok')
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  await click(navigation(page, 'Destinations'))
  await click(page.getByRole('main').getByRole('link', { name: 'Add a destination' }).first())
  await click(page.getByRole('radio', { name: 'Slack' }))
  await click(page.getByLabel('Webhook URL'))
  await page.keyboard.insertText(`${new URL(receiver.url).origin}/services/T024/B045/secret`)
  await click(page.getByRole('combobox', { name: 'App' }))
  await click(page.getByRole('option', { name: new RegExp(NOTES.name) }))
  await click(page.getByRole('button', { name: 'Add destination' }))
  await click(page.getByRole('button', { name: 'Send test' }))
  await page.getByText('Accepted, HTTP 200').waitFor()
  assert.equal(clicks(), 8)
})

test('reading the reviews since a release takes two clicks', async () => {
  await using seeded = await startComparedApps()
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  await click(navigation(page, 'Reviews'))
  await click(page.getByRole('combobox', { name: 'Search in reviews' }))
  await page.keyboard.type('since 2.0')
  await page.getByRole('option', { name: 'Published since version 2.0' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  // Four of version 2.0, and two for Android.
  await page.getByRole('status').getByText('6 reviews').waitFor()
  assert.equal(clicks(), 2)
})

test('exporting the requests for dark mode since October takes four clicks', async () => {
  await using seeded = await startComparedApps()
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  const [month = ''] = new Date(Date.now() - 30 * 24 * 3_600_000)
    .toLocaleString('en-GB', { month: 'long' })
    .split(' ')
  await click(navigation(page, 'Reviews'))
  await click(page.getByRole('combobox', { name: 'Search in reviews' }))
  for (const [text, suggestion] of [
    ['dark mode', /^Feature request: Dark mode/],
    [`since ${month.toLowerCase()}`, new RegExp(`^Published since ${month}`)],
  ] as const) {
    await page.keyboard.type(text)
    await page.getByRole('option', { name: suggestion }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
  }
  await page.waitForURL(/feature_slug=dark[-_]mode&since=|since=.*&feature_slug=dark[-_]mode/)
  await click(page.getByRole('button', { name: 'Export' }))
  const downloading = page.waitForEvent('download')
  await click(page.getByRole('menuitem', { name: /^CSV/ }))
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\n')
  assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.includes('dark')), lines.join('\n'))
  assert.equal(clicks(), 4)
})

test('ending the tracking of an app takes five clicks', async () => {
  await using seeded = await startComparedApps()
  await using overview = await openOverview(seeded)
  const { page, click, clicks } = overview
  await click(navigation(page, 'Apps'))
  await click(link(page, NOTES.name).first())
  await click(page.getByRole('button', { name: 'Edit storefronts' }))
  await click(page.getByRole('button', { name: 'Stop tracking' }))
  await click(page.getByRole('dialog').last().getByRole('button', { name: 'Stop tracking' }))
  await page.getByText(`You no longer track ${NOTES.name}`).waitFor()
  assert.equal(clicks(), 5)
})
