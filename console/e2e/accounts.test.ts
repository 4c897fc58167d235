import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, signedIn } from '../../test/support/console-client.ts'
import { startTestService } from '../../test/support/service.ts'
import { findings, openBrowser, visit } from './support/browser.ts'

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const userMenu = (page: Page, account: string) =>
  page.getByRole('button', { name: `${account}, signed in as Ben` })

test('a user joins a second account by link, chooses one at sign-in, and switches in all tabs', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  const ben = await signedIn(running, 'Ben')
  const body = { email: 'b.jones@example.com', role: 'member' }
  const { url } = await ann.fetchJson<{ url: string }>('POST', '/invitations', body)
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor

  await page.goto(new URL(url).pathname)
  await page.getByRole('link', { name: 'Sign in as an existing user' }).click()
  await signIn(page, ben.email)
  await page.getByText('You are signed in as ben@example.com.').waitFor()
  assert.deepEqual(await findings(page), [])
  await page.getByRole('button', { name: 'Join as Ben' }).click()
  await userMenu(page, "Ann's").click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()

  await signIn(page, ben.email)
  await page.getByRole('heading', { name: 'Choose an account' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await page.goto('/account')
  await page.getByRole('button', { name: "Ben's" }).click()
  await userMenu(page, "Ben's").waitFor()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

  const other = await page.context().newPage()
  await other.goto(running.url)
  await userMenu(other, "Ben's").click()
  await other.getByRole('menuitem', { name: "Switch to Ann's" }).click()
  await userMenu(other, "Ann's").waitFor()
  await userMenu(page, "Ann's").waitFor()
  assert.deepEqual(visitor.errors, [])
})
