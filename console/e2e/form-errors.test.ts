import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { createPasswordReset } from '../../src/operations/accounts/password-resets.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { withUsers } from '../../src/service/with-users.ts'
import { type Visitor, visit } from './support/browser.ts'
import { openDestination, type SeededConsole, startSeededConsole } from './support/seeded-console.ts'

/** Each form shows an error of the service at its field until the user edits the field. */

let seeded: SeededConsole
let visitor: Visitor & { readonly id: string }
let page: Page
before(async () => {
  seeded = await startSeededConsole()
  visitor = await openDestination(seeded)
  page = visitor.page
})
after(async () => {
  await visitor[Symbol.asyncDispose]()
  await seeded[Symbol.asyncDispose]()
})

/** Waits until the field has the problem, edits the field, and waits until the problem is gone. */
async function correct(field: Locator, problem: RegExp, edit: (field: Locator) => Promise<unknown>) {
  await field.and(page.locator('[aria-invalid=true]')).waitFor()
  const id = await field.getAttribute('aria-describedby')
  const described = page.locator(
    (id ?? '')
      .split(' ')
      .map((each) => `[id="${each}"]`)
      .join(', '),
  )
  await described.filter({ hasText: problem }).waitFor()
  assert.equal(await page.getByRole('alert').filter({ hasText: problem }).count(), 0)
  await edit(field)
  await described.filter({ hasText: problem }).waitFor({ state: 'detached' })
}

const BLOCKED = 'http://10.0.0.1/radar'
const fillWith = (text: string) => (field: Locator) => field.fill(text)

test('a new destination shows errors at its name and URL', async () => {
  await page.goto('/destinations/new')
  await page.getByLabel('URL').fill(BLOCKED)
  await page.getByLabel('Name').evaluate((input) => input.removeAttribute('maxlength'))
  await page.getByLabel('Name').fill('x'.repeat(101))
  await page.getByRole('radio', { name: 'All apps' }).check()
  await page.getByRole('button', { name: 'Add destination' }).click()
  await correct(page.getByLabel('Name'), /at most 100 characters/, fillWith('Support'))
  await page.getByRole('button', { name: 'Add destination' }).click()
  await correct(page.getByLabel('URL'), /address/i, fillWith('https://example.com/'))
})

test('the first field with a problem gets the focus, so that a problem out of view is not missed', async () => {
  await page.goto('/destinations/new')
  const url = page.getByLabel('URL')
  await url.fill('ftp://example.com')
  const submit = page.getByRole('button', { name: 'Add destination' })
  await submit.scrollIntoViewIfNeeded()
  await submit.click()
  await url.and(page.locator(':focus')).waitFor()
  await url.fill('https://example.com/')
  await submit.click()
  await page.getByPlaceholder('Choose an app').and(page.locator(':focus')).waitFor()
})

test('the settings of a destination show an error at the URL', async () => {
  await page.goto(`/destinations/${visitor.id}`)
  await page.getByLabel('URL', { exact: true }).fill(BLOCKED)
  await page.getByRole('button', { name: 'Save' }).click()
  await correct(page.getByLabel('URL', { exact: true }), /address/i, fillWith('https://example.com/'))
  await page.getByLabel('Max. requests per second').fill('5000')
  await page.getByLabel('Max. requests per second').press('Enter')
  await correct(page.getByLabel('Max. requests per second'), /from 0\.1 to 1000/, fillWith('5'))
})

test('a subscription shows errors at its fields', async () => {
  await page.goto(`/destinations/${visitor.id}`)
  await page.getByRole('button', { name: 'Add a subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await correct(dialog.getByRole('combobox', { name: 'App' }), /^Choose an app/, async (field) => {
    await dialog.getByRole('radio', { name: 'All apps' }).check()
    await field.waitFor({ state: 'detached' })
  })
  await page.getByText('Rating drops', { exact: true }).click()
  await dialog.getByLabel('Falls by at least').fill('9')
  await correct(dialog.getByLabel('Falls by at least'), /from 0 to 4/, fillWith('0.5'))
})

test('the search for an app shows an error at its field', async () => {
  await page.goto('/apps/add')
  await page.getByLabel('App', { exact: true }).fill('x'.repeat(400))
  await correct(page.getByLabel('App', { exact: true }), /1 to 300 characters/, fillWith('Larkspur'))
})

test('the form of a token shows an error at the name', async () => {
  await page.goto('/account/tokens')
  const name = page.getByLabel('Token name')
  await name.evaluate((input) => input.removeAttribute('maxlength'))
  await name.fill('x'.repeat(101))
  await page.getByRole('button', { name: 'Create token' }).click()
  await correct(name, /^At most 100 characters/, fillWith('zapier'))
})

test('an invitation shows errors at the e-mail address', async () => {
  await page.goto('/account')
  const email = page.getByPlaceholder('colleague@example.com')
  await email.fill('nobody')
  await page.getByRole('button', { name: 'Create invitation link' }).click()
  await correct(email, /Enter a valid e-mail address/, fillWith('ä@example.com'))
  await page.getByRole('button', { name: 'Create invitation link' }).click()
  await correct(email, /^Is not an e-mail address/, fillWith('bob@example.com'))
})

test('the alerts show errors at their fields', async () => {
  await page.goto('/account/alerts')
  await page.getByLabel('Webhook URL').fill(BLOCKED)
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await correct(page.getByLabel('Webhook URL'), /address/i, fillWith('https://example.com/'))
})

test('a password change shows an error at the current password', async () => {
  await page.goto('/account/sign-in')
  const card = page.getByRole('region', { name: 'Password' })
  await card.getByLabel('Current password').fill('not my password')
  await card.getByLabel('New password').fill('another long password')
  await card.getByRole('button', { name: 'Change password' }).click()
  await correct(card.getByLabel('Current password'), /current password is wrong/, fillWith('another'))
})

test('a recovery shows an error at its start time', async () => {
  await page.goto(`/destinations/${visitor.id}`)
  await page.getByRole('button', { name: 'Replay missed events', exact: true }).waitFor()
  await page.clock.setFixedTime(Date.now() + 3 * 3_600_000)
  await page.getByRole('button', { name: 'Replay missed events', exact: true }).click()
  const since = page.getByRole('dialog').getByRole('button', { name: /^Since/ })
  await correct(since, /time in the past/, async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Clear since' }).count()
    await since.click()
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
  })
})

test('sign-in and a new password show errors at their fields', async () => {
  await using guest = await visit(visitor.context.browser() ?? assert.fail(), seeded.running.url)
  page = guest.page
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('ä@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a long password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await correct(page.getByLabel('E-mail'), /not an e-mail address/, fillWith(seeded.ann.email))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'password is wrong' }).waitFor()

  const { token } = await withUsers(seeded.running.environment, ({ users }) =>
    createPasswordReset({ users, clock: systemClock }, seeded.ann.email, { keepsPasskeys: false }),
  )
  await page.goto(`/reset-password/${token}`)
  await page.getByLabel('New password').fill('x'.repeat(129))
  await page.getByRole('button', { name: 'Set password' }).click()
  await correct(page.getByLabel('New password'), /more than 128 characters/, fillWith('a good new password'))
})
