import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedIn } from '../../test/support/console-client.ts'
import { startIdentityProvider } from '../../test/support/identity-provider.ts'
import { startTestService } from '../../test/support/service.ts'
import { findings, openBrowser, visit } from './support/browser.ts'
import { enterAs } from './support/seeded-console.ts'

/** A service with an identity provider, Ann's session, and a browser. */
async function openConsole() {
  await using opened = new AsyncDisposableStack()
  const provider = opened.use(await startIdentityProvider())
  const running = opened.use(await startTestService(provider.settings))
  const ann = await signedIn(running, 'Ann')
  const browser = opened.use(await openBrowser())
  const visitor = opened.use(await visit(browser, running.url))
  const all = opened.move()
  return { provider, running, ann, browser, visitor, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

test('an invited person signs in at the identity provider, and sees why it failed before', async () => {
  await using opened = await openConsole()
  const { provider, ann, visitor } = opened
  const { page } = visitor
  const signIn = () => page.getByRole('button', { name: 'Sign in with Acme ID' }).click()
  await page.goto('/deliveries?status=dead')
  for (const [behaviour, sentence] of [
    [{ cancels: true }, 'You cancelled the sign-in with Acme ID.'],
    [{ emailVerified: false }, 'Your e-mail address is not verified at Acme ID.'],
    [{ fault: 'token_issuer' }, 'The response from Acme ID could not be verified.'],
    [{}, 'No user here is connected with this Acme ID user'],
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
  await page.goto('/account/sign-in')
  await page.getByText(/signed in as ben@example\.com \(member\)/i).waitFor()
  await page.getByRole('region', { name: 'Sessions' }).getByText('This browser').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Password' }).count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Second factor' }).count(), 0)
  assert.deepEqual(visitor.errors, [])
})

test('a user with a password connects the identity provider, and an invited person joins through the link', async () => {
  await using opened = await openConsole()
  const { provider, running, ann, browser, visitor: own } = opened
  await enterAs(own, running, ann)
  await own.page.goto('/account/sign-in')
  const card = own.page.getByRole('region', { name: 'Sign-in with Acme ID' })
  provider.next({ subject: 'ann', cancels: true })
  await card.getByRole('button', { name: 'Connect Acme ID' }).click()
  await card.getByText('You cancelled the sign-in with Acme ID.').waitFor()
  assert.deepEqual(await findings(own.page), [])
  provider.next({ subject: 'ann' })
  await card.getByRole('button', { name: 'Connect Acme ID' }).click()
  await card.getByText('You can now sign in with Acme ID.').waitFor()

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
