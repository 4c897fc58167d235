import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/support/service.ts'
import { startBeforeSetup } from '../../test/support/setup.ts'
import { openBrowser, visit } from './support/browser.ts'

test('the first user sets up the service with the code from its log, signs out and signs in again', async () => {
  await using service = await startBeforeSetup()
  const { code, running } = service
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor

  await page.goto('/')
  await page.getByRole('heading', { name: 'Welcome to Review Radar' }).waitFor()
  await page.getByLabel('Setup code').fill('AAAA-AAAA-AAAA-AAAA-AAAA')
  await page.getByLabel('Your name').fill('Ann')
  await page.getByLabel('E-mail').fill('not an address')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Enter a valid e-mail address').waitFor()

  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Does not match the code in the log of the service.').waitFor()

  await page.getByLabel('Setup code').fill(code)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('region', { name: 'Getting started' }).waitFor()

  await page.getByRole('button', { name: /signed in as Ann/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto('/setup')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('signing in opens the requested page, never another site', async () => {
  await using running = await startTestService()
  const { signedIn } = await import('../../test/support/console-client.ts')
  await signedIn(running, 'Ann')
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor
  await page.goto('/deliveries?status=dead')
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  assert.match(page.url(), /\/deliveries\?status=dead/)

  await page.context().clearCookies()
  await page.goto('/sign-in?next=//evil.example/')
  await page.getByLabel('E-mail').fill('ann@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.ok(page.url().startsWith(running.url))
})
