import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { publish, publishOld } from '../../test/support/publish.ts'
import { until } from '../../test/support/until.ts'
import { chooseFilter } from './support/filters.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

const LOW = 'Crashes, then "forgets" everything.'
const FORMULA = '=1+1 is all it can do.'

/** Downloads the export in this format. */
async function exported(page: Page, format: RegExp): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('the reviews that match the filters are exported as CSV and as JSON Lines', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const place = { ...NOTES, market: 'us' }
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const low = [LOW, FORMULA].map(
    (body, index) => publish(running, place, { body, rating: 1, publishedAt: at(index + 1) }).id,
  )
  const high = publish(running, place, { body: 'Lovely.', rating: 5, publishedAt: at(3) }).id
  publishOld(running, place, 60)
  await ann.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
  await until('all reviews are found', async () => {
    const { text } = await ann.request('GET', '/v1/exports/reviews?format=jsonl')
    return text.trimEnd().split('\n').length === 63
  })

  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/reviews')
  await page.getByText('Lovely.').waitFor()
  const idsOf = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).review_id)
  const all = await exported(page, /JSON Lines/)
  assert.equal(all.name, 'reviews.jsonl')
  assert.equal(idsOf(all.text).length, 63, 'all pages, not only the one that is shown')
  assert.deepEqual(idsOf(all.text).slice(0, 3), [...low, high])

  await chooseFilter(page, 'Stars', '1 star')
  await page.getByText('Lovely.').waitFor({ state: 'detached' })
  await page.getByText(FORMULA).waitFor()
  const lines = await exported(page, /JSON Lines/)
  assert.deepEqual(idsOf(lines.text), low)
  const csv = await exported(page, /CSV/)
  assert.equal(csv.name, 'reviews.csv')
  const [header, first, second, ...rest] = csv.text.split('\r\n')
  assert.match(header ?? '', /^\u{FEFF}store,app_id,app_name,market,review_id,rating,title,body,/u)
  assert.match(first ?? '', new RegExp(`^apple,${NOTES.appId},${NOTES.name},us,${low[0]},1,`))
  assert.ok(first?.includes('"Crashes, then ""forgets"" everything."'), first)
  assert.ok(second?.includes(`,'${FORMULA},`), second)
  assert.deepEqual(rest, [''])

  await page.getByRole('combobox', { name: 'Search in reviews' }).fill('nobody says this')
  await page.getByText(/No reviews match/i).waitFor()
  assert.equal((await exported(page, /JSON Lines/)).text, '')
  assert.deepEqual(visitor.errors, [])
})
