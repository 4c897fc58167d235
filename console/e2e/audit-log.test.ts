import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { appleBody } from '../../test/support/connect-store.ts'
import { PASSWORD } from '../../test/support/console-client.ts'
import { until } from '../../test/support/until.ts'
import { NOTES, openAs, startSeededConsole } from './support/seeded-console.ts'

test('the audit log can be read and scrolled on narrow screens of any width', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  for (let index = 0; index < 40; index += 1) {
    const name = `Thanks ${index} ${'and again '.repeat(index % 7)}`
    await ann.fetchJson('POST', '/v1/reply-templates', { name, text: 'Thank you!', language: null })
  }
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  for (const width of [340, 355, 370, 390]) {
    await page.setViewportSize({ width, height: 780 })
    await page.goto('/audit-log')
    const rows = page.getByRole('group', { name: 'Audit log' }).getByRole('row')
    // The router restores the position of the page before, and rows that are not shown do not exist.
    await until('the first row is shown', async () => {
      await page.evaluate('window.scrollTo(0, 0)')
      return (await rows.filter({ hasText: 'Thanks 39' }).count()) > 0
    })
    // Rows get their height when they are shown, so the end moves.
    await until('the last row is shown', async () => {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      return (await rows.filter({ hasText: 'Thanks 0' }).count()) > 0
    })
  }
  assert.deepEqual(visitor.errors, [])
})

test('an owner reads, filters and exports the audit log; a member cannot', async () => {
  await using seeded = await startSeededConsole()
  const { running, ann } = seeded
  const kept = await seeded.newDestination()
  const removed = await seeded.newDestination()
  await ann.fetchJson('DELETE', `/v1/hooks/${removed.id}`)
  await ann.fetchJson('PUT', '/v1/tracked-apps/apple/1000000001', { countries: ['us'] })
  await ann.fetchJson('POST', '/v1/reply-templates', { name: 'Thanks', text: 'Thank you!', language: null })
  const key = createAppleKey(running.world, { appIds: [NOTES.appId] })
  await ann.fetchJson('POST', '/v1/store-connections', { name: 'Our team', ...appleBody(key) })
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  const rows = page.getByRole('group', { name: 'Audit log' }).getByRole('row')
  const created = rows.filter({ hasText: 'Created a destination' })
  await created.nth(1).waitFor()
  const tracked = rows.filter({ hasText: 'Tracked an app' })
  await tracked.getByRole('cell', { name: 'ann@example.com' }).waitFor()
  await tracked.getByRole('cell', { name: '127.0.0.1' }).waitFor()
  await tracked.getByRole('link', { name: 'Larkspur Notes' }).waitFor()
  await rows
    .filter({ hasText: 'Created an answer template' })
    .getByRole('link', { name: 'Thanks', exact: true })
    .waitFor()
  await rows
    .filter({ hasText: 'Connected a store' })
    .getByRole('link', { name: 'Our team', exact: true })
    .waitFor()

  const links = page
    .getByRole('group', { name: 'Audit log' })
    .getByRole('link', { name: seeded.receiver.url })
  assert.equal(await links.count(), 1, 'a deleted destination is not a link')
  await page.getByRole('combobox', { name: 'Action' }).click()
  await page.getByRole('option', { name: 'Deleted a destination' }).click()
  await rows.filter({ hasText: 'Signed in' }).waitFor({ state: 'detached' })
  await until('the head and one entry are shown', async () => (await rows.count()) === 2)
  assert.match(page.url(), /\?action=hook\.deleted$/)
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'JSON Lines' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'audit-log.jsonl')
  const exported = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  assert.deepEqual(
    exported.map((line) => JSON.parse(line).target),
    [removed.id],
  )
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'ann@example.com' }).click()
  await rows.filter({ hasText: 'Signed in' }).waitFor()
  await page.goto('/audit-log?action=member.removed')
  await page.getByText('No entries match these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).last().click()
  await links.click()
  await page.waitForURL(`**/destinations/${kept.id}`)

  const { url } = await ann.fetchJson<{ url: string }>('POST', '/invitations', {
    email: 'ben@example.com',
    role: 'member',
  })
  await page.context().clearCookies()
  await page.goto(url)
  await page.getByLabel('Your name').fill('Ben')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.goto('/account/sign-in')
  await page.getByRole('region', { name: 'Sessions' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Audit log' }).count(), 0)
  await page.goto('/audit-log')
  await page.getByRole('heading', { name: 'Only owners can read the audit log' }).waitFor()
  assert.equal(await page.getByRole('combobox').count(), 0)
  assert.deepEqual(visitor.errors, [])
})
