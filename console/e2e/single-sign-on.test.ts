import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../../test/support/console-client.ts'
import { startIdentityProvider } from '../../test/support/identity-provider.ts'
import { startTestService } from '../../test/support/service.ts'
import { findings, openBrowser, visit } from './support/browser.ts'
import { enterAs } from './support/seeded-console.ts'

test('an invited person signs in at the identity provider, and sees why it failed before', async () => {
  await using provider = await startIdentityProvider()
  await using running = await startTestService(provider.settings)
  const ann = await signedIn(running, 'Ann')
  await using browser = await openBrowser()
  await using visitor = await visit(browser, running.url)
  const { page } = visitor
  const signIn = () => page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.goto('/deliveries?status=dead')
  for (const [behaviour, sentence] of [
    [{ cancels: true }, 'You cancelled the sign-in with Acme ID.'],
    [{ emailVerified: false }, 'Your e-mail address is not verified at Acme ID.'],
    [{ fault: 'token_issuer' }, 'The response from Acme ID could not be verified.'],
    [{}, 'No user here is connected to this sign-in'],
  ] as const) {
    provider.next(behaviour)
    await signIn()
    await page.getByRole('alert').filter({ hasText: sentence }).waitFor()
  }
  assert.deepEqual(await findings(page), [])
  await ann.fetchJson('POST', '/invitations', { email: 'ben@example.com', role: 'member' })
  await signIn()
  await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor()
  assert.match(page.url(), /\/deliveries\?status=dead/)
  await page.goto('/account')
  await page.getByText(/signed in as ben@example\.com \(member\)/i).waitFor()
  await page.getByRole('region', { name: 'Sessions' }).getByText('This browser').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Password' }).count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Second factor' }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('a user with a password connects the identity provider, and an invited person joins through the link', async () => {
  await using provider = await startIdentityProvider()
  await using running = await startTestService(provider.settings)
  const ann = await signedIn(running, 'Ann')
  await using browser = await openBrowser()
  await using own = await visit(browser, running.url)
  await enterAs(own, running, ann)
  await own.page.goto('/account')
  const card = own.page.getByRole('region', { name: 'Sign-in with Acme ID' })
  provider.next({ subject: 'ann', cancels: true })
  await card.getByRole('button', { name: 'Connect Acme ID' }).click()
  await card.getByText('You cancelled the sign-in with Acme ID.').waitFor()
  assert.deepEqual(await findings(own.page), [])
  provider.next({ subject: 'ann' })
  await card.getByRole('button', { name: 'Connect Acme ID' }).click()
  await card.getByText('You can sign in with Acme ID.').waitFor()

  await signedIn(running, 'Eve')
  const body = { email: 'ben@example.com', role: 'member' }
  const { url } = await ann.fetchJson<{ url: string }>('POST', '/invitations', body)
  await using invited = await visit(browser, running.url)
  await invited.page.goto(url)
  provider.next({ emailVerified: false })
  await invited.page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await invited.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.deepEqual([...own.errors, ...invited.errors], [])
})
