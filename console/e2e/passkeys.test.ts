import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditPage } from '../../src/contract/v1/audit-log.ts'
import { consoleClient, signedIn, signInAgain } from '../../test/support/console-client.ts'
import { startTestService } from '../../test/support/service.ts'
import { findings } from './support/browser.ts'
import { openAs } from './support/seeded-console.ts'

test('a passkey is added, named, signs in without a password, and is removed', async () => {
  await using running = await startTestService({ RADAR_HOST: 'localhost' })
  assert.ok(running.url.startsWith('http://localhost:'), running.url)
  const ann = await signedIn(running, 'Ann')
  const elsewhere = consoleClient(running.url)
  await signInAgain(elsewhere, ann.email)
  await using visitor = await openAs(running, ann)
  const { page, context } = visitor
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/account/sign-in')
  const section = page.getByRole('region', { name: 'Passkeys' })
  await section.getByText('No passkeys yet.').waitFor()
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByText('Enter a name, such as My laptop').waitFor()
  await section.getByLabel('Passkey name').fill('Work laptop')
  const [adding] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/passkeys')),
    section.getByRole('button', { name: 'Add passkey' }).click(),
  ])
  await section.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor()
  const addingCookies = (await adding.allHeaders()).cookie ?? ''
  const again = await ann.request('POST', '/passkeys', adding.postDataJSON(), { cookie: addingCookies })
  assert.equal(again.status, 409, again.text)
  await section.getByLabel('Passkey name').fill('Again')
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByText('This device already has a passkey of yours.').waitFor()
  await section.getByRole('button', { name: 'Rename Work laptop' }).click()
  await section.getByLabel('New name for Work laptop').fill('Laptop')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
  assert.deepEqual(await findings(page), [])

  const signOut = async () => {
    await page.getByRole('button', { name: /signed in as/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }
  await signOut()
  assert.deepEqual(await findings(page), [])
  // Without the PIN or the fingerprint of the person a passkey is only one factor.
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('No passkey was used: the dialog was closed, or took too long.').waitFor()
  await devices.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  const [sent] = await Promise.all([
    page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/passkey-sign-in'),
    ),
    page.getByRole('button', { name: 'Use a passkey' }).click(),
  ])
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const { cookie = '' } = await sent.allHeaders()
  assert.match(cookie, /radar\.passkey=/)
  // Whoever records the request cannot sign in with it.
  const replayed = await consoleClient(running.url).request('POST', '/passkey-sign-in', sent.postDataJSON(), {
    cookie,
  })
  assert.deepEqual([replayed.status, replayed.headers.getSetCookie().length], [400, 1], replayed.text)
  const { data: entries } = await elsewhere.fetchJson<AuditPage>('GET', '/v1/audit-log')
  assert.deepEqual(
    entries.slice(0, 4).map(({ action, detail }) => [action, detail]),
    [
      ['sign_in.succeeded', 'with the passkey Laptop'],
      ['sign_in.signed_out', null],
      ['passkey.renamed', 'Laptop'],
      ['passkey.added', 'Work laptop'],
    ],
  )

  await page.goto('/account/sign-in')
  await section.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await section.getByText('No passkeys yet.').waitFor()
  await signOut()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('This passkey is not registered here. Sign in with your password.').waitFor()
  assert.deepEqual(visitor.errors, [])
})
