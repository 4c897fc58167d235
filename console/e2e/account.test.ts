import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createPasswordReset } from '../../src/operations/accounts/password-resets.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { withUsers } from '../../src/service/with-users.ts'
import { consoleClient, PASSWORD, signedIn, signInAgain } from '../../test/support/console-client.ts'
import { startTestService } from '../../test/support/service.ts'
import { openBrowser, visit } from './support/browser.ts'
import { enterAs, openAs } from './support/seeded-console.ts'

const NEW_PASSWORD = 'wrong staple horse'

async function signIn(page: Page, email: string, password: string): Promise<void> {
  // The account page has the same fields, so wait for the sign-in page.
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a changed password ends all other sessions and replaces the old one', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  const elsewhere = consoleClient(running.url)
  await signInAgain(elsewhere, ann.email)
  assert.equal((await elsewhere.request('GET', '/members')).status, 200)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account/sign-in')
  const card = page.getByRole('region', { name: 'Password' })
  const change = async (current: string, next: string) => {
    await card.getByLabel('Current password').fill(current)
    await card.getByLabel('New password').fill(next)
    await card.getByRole('button', { name: 'Change password' }).click()
  }
  await change(PASSWORD, 'short')
  await card.getByText('Use at least 10 characters').waitFor()
  await change('not my password', NEW_PASSWORD)
  await card.getByText('The current password is wrong.').waitFor()
  assert.equal((await elsewhere.request('GET', '/members')).status, 200, 'no session has ended')

  await change(PASSWORD, NEW_PASSWORD)
  await page.getByText('Password changed').waitFor()
  assert.equal((await elsewhere.request('GET', '/members')).status, 401)
  await page.reload()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

  await page.getByRole('button', { name: /signed in as Ann/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, ann.email, PASSWORD)
  await page.getByRole('alert').waitFor()
  await signIn(page, ann.email, NEW_PASSWORD)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an owner deletes the account after entering its name, and is signed out', async () => {
  await using running = await startTestService()
  // The first account is that of the operator.
  await signedIn(running, 'Ann')
  const ben = await signedIn(running, 'Ben')
  await using visitor = await openAs(running, ben)
  const { page } = visitor
  await page.goto('/account')
  await page.getByRole('link', { name: 'Delete account' }).click()
  const card = page.getByRole('region', { name: 'Delete account' })
  const remove = async (name: string) => {
    await card.getByLabel('Name of the account').fill(name)
    await card.getByRole('button', { name: 'Delete account' }).click()
  }
  await remove('Ben')
  await card.getByText('The name does not match').waitFor()
  assert.equal((await ben.request('GET', '/members')).status, 200)
  await remove("Ben's")
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  assert.equal((await ben.request('GET', '/members')).status, 401)
})

test('a reset link sets a new password, and signs the user out in all browsers', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  const { token } = await withUsers(running.environment, ({ users }) =>
    createPasswordReset({ users, clock: systemClock }, ann.email, { keepsPasskeys: false }),
  )
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor
  await page.goto(`/reset-password/${token}`)
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('Password set. Sign in with it.').waitFor()
  await signIn(page, ann.email, NEW_PASSWORD)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal((await ann.request('GET', '/members')).status, 401)
  await page.goto(`/reset-password/${token}`)
  await page.getByLabel('New password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('This link is no longer valid').waitFor()
})

test('a session in another browser is listed and signed out', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  const elsewhere = consoleClient(running.url)
  await signInAgain(elsewhere, ann.email)
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account/sign-in')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await sessions.getByText('This browser').waitFor()
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .last()
    .click()
  await page.getByText('Session ended.').waitFor()
  assert.equal((await elsewhere.request('GET', '/members')).status, 401)
  assert.equal((await ann.request('GET', '/members')).status, 200)
})

test('an invitation link works once and adds a member', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  await using browser = await openBrowser()
  await using owner = await visit(browser, running.url)
  await enterAs(owner, running, ann)
  await owner.page.goto('/account')
  await owner.page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ben@example.com')
  await owner.page.getByRole('button', { name: 'Create invitation link' }).click()
  const shown = owner.page.getByRole('alert').filter({ hasText: 'Send this link to ben@example.com' })
  const link = (await shown.locator('code').textContent()) ?? ''
  assert.ok(link.startsWith(`${running.url}/`), link)

  await using guest = await visit(browser, running.url)
  const { page } = guest
  await page.goto(link)
  await page.getByLabel('Your name').fill('Ben')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await page.getByRole('button', { name: /signed in as Ben/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(page, 'ben@example.com', PASSWORD)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await page.goto('/account')
  await page.getByText(/signed in as ben@example\.com \(member\)/i).waitFor()
  const members = page.getByRole('region', { name: 'Members' })
  await members.getByText('ann@example.com').waitFor()
  assert.equal(await members.getByRole('button').count(), 0, 'a member can neither invite nor remove')

  await owner.page.reload()
  await owner.page.getByRole('button', { name: 'Remove Ben' }).waitFor()
  assert.equal(await owner.page.getByText(link).count(), 0)
  await page.context().clearCookies()
  await page.goto(link)
  await page.getByLabel('Your name').fill('Eve')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByRole('alert').filter({ hasText: 'This invitation is no longer valid' }).waitFor()
  assert.deepEqual([...owner.errors, ...guest.errors], [])
})

test('a token is shown once and stops working when revoked', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account/tokens')
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByText('No tokens yet.').waitFor()
  await tokens.getByLabel('Token name').fill('reports')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const value = (await tokens.getByRole('alert').locator('code').textContent()) ?? ''
  assert.match(value, /^rsk_[\w-]{43}$/)
  await tokens.getByRole('button', { name: 'Copy API token' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), value)
  const apps = async () =>
    (await running.request('/api/v1/apps', { headers: { authorization: `Bearer ${value}` } })).status
  assert.equal(await apps(), 200)

  await page.reload()
  await tokens.getByRole('cell', { name: 'reports', exact: true }).waitFor()
  assert.equal((await page.content()).includes(value), false)
  await tokens.getByRole('button', { name: 'Revoke reports' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await tokens.getByText('No tokens yet.').waitFor()
  assert.equal(await apps(), 401)

  await tokens.getByLabel('Token name').fill('again')
  await tokens.getByLabel('Replay, import, stores, alerts, audit log').uncheck()
  await tokens.getByLabel('Manage hooks and apps').uncheck()
  await tokens.getByRole('combobox', { name: 'Expires' }).click()
  await page.getByRole('option', { name: 'In 30 days' }).click()
  await tokens.getByRole('button', { name: 'Create token' }).click()
  await tokens.getByRole('alert').waitFor()
  await tokens.getByRole('cell', { name: 'Read', exact: true }).waitFor()
  const [made] = await running.service.storage.accounts.listTokens(ann.accountId)
  assert.deepEqual(made?.scopes, ['read'])
  assert.ok(made.expiresAt !== null)
  await tokens.getByRole('button', { name: 'Revoke again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await tokens.getByRole('alert').waitFor({ state: 'detached' })
  assert.deepEqual(visitor.errors, [])
})
