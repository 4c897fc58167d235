import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppPage } from '../../src/contract/console/apps.ts'
import { publish } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { findings } from './support/browser.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const HOUR_MS = 3_600_000
const PATH = `/apps/${NOTES.store}/${NOTES.appId}`

test("an app's page compares the range with the time before it", async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const write = (hoursAgo: number, rating: number, version: string, body: string) =>
    publish(
      running,
      { ...NOTES, market: 'us' },
      {
        rating,
        version,
        body,
        publishedAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 - hoursAgo * HOUR_MS),
      },
    )
  write(1, 1, '2.0', 'It crashes every time I open a note.')
  write(2, 2, '2.0', 'The app crashes when I open it.')
  write(3, 5, '1.9', 'I love this app, it works very well.')
  write(9 * 24, 5, '1.9', 'I love it, wonderful app.')
  await ann.fetchJson('PUT', `/v1/tracked-${PATH.slice(1)}`, { countries: ['us'] })
  await until('all are enriched', async () => {
    const { days } = await ann.fetchJson<AppPage>('GET', `${PATH}?days=30`)
    const enriched = days.flatMap(({ sentiments }) => Object.values(sentiments))
    return enriched.reduce((sum, count) => sum + count, 0) === 4
  })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto(`${PATH}?days=7`)
  const changed = page.getByRole('region', { name: 'What changed' })
  await changed.getByText(/3.*up by.*200%/).waitFor()
  await changed.getByText(/2\.67.*down by.*2\.33/).waitFor()
  await changed.getByText(/66\.6%.*up by.*67 points/).waitFor()
  await page.goto(`${PATH}?days=365`)
  const nothingBefore = new RegExp(`no reviews from .* ${new Date().getFullYear() - 2}, .* to `)
  await changed.getByText(nothingBefore).waitFor()
  await page.goto(`${PATH}?days=7`)
  const rising = page.getByRole('region', { name: 'Rising themes' })
  await rising.getByRole('row', { name: /^Crashes 2 0 new/ }).waitFor()
  const negative = page.getByRole('region', { name: 'Newest negative reviews' })
  assert.deepEqual(await negative.getByRole('article').count(), 2)

  // The other sections are one click away, and show the same range.
  await page.getByRole('link', { name: 'Versions and countries' }).click()
  const versions = page.getByRole('region', { name: 'By version' })
  await versions.getByRole('row', { name: /^2\.0 2 1\.50 ★ 100%/ }).waitFor()
  await page
    .getByRole('region', { name: 'By country' })
    .getByRole('row', { name: /^United States 3/ })
    .waitFor()

  await page
    .getByRole('navigation', { name: 'Sections of the app' })
    .getByRole('link', { name: 'Feeds' })
    .click()
  const feeds = page.getByRole('region', { name: 'Feeds' })
  await feeds.getByText('2 feeds, all healthy').waitFor()
  await feeds.getByRole('row').nth(2).waitFor()

  const atom = page.getByRole('region', { name: 'Atom feed' })
  await atom.getByText('No addresses yet.').waitFor()
  await atom.getByRole('button', { name: 'Create address' }).click()
  await atom.getByText('Copy the address now').waitFor()
  const address = /http:\S+\/atom\/rsf_[\w-]{43}/.exec(await atom.innerText())?.[0] ?? ''
  assert.match(await (await fetch(address)).text(), /It crashes every time I open a note\./)
  await atom.getByRole('row').nth(1).waitFor()
  assert.deepEqual(await findings(page), [])
  await atom.getByRole('button', { name: 'Revoke address 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await atom.getByText('No addresses yet.').waitFor()
  assert.equal((await fetch(address)).status, 404)

  await page.getByRole('link', { name: 'Versions and countries' }).click()
  await versions.getByRole('link', { name: '2.0' }).click()
  await page.getByRole('article').nth(1).waitFor()
  assert.equal(await page.getByRole('article').count(), 2)
  assert.deepEqual(visitor.errors, [])
})
