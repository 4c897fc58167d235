import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { consoleClient, PASSWORD, signedIn } from '../../test/support/console-client.ts'
import { startTestService } from '../../test/support/service.ts'
import { totpCode } from '../../test/support/totp.ts'
import { findings, openBrowser, visit } from './support/browser.ts'
import { enterAs, openAs } from './support/seeded-console.ts'

/** The text of the QR code on the page, as a phone reads it. */
async function scan(page: Page): Promise<string> {
  const svg = page.getByRole('img', { name: 'QR code of the second factor' })
  await svg.waitFor()
  const { size, pixels } = await svg.evaluate(async (drawn) => {
    const size = 400
    const copy = drawn.cloneNode(true) as SVGElement
    copy.setAttribute('width', String(size))
    copy.setAttribute('height', String(size))
    const image = new Image()
    image.src = `data:image/svg+xml;utf8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = size
    canvas.height = size
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, size, size)
    context.drawImage(image, 0, 0)
    return { size, pixels: [...context.getImageData(0, 0, size, size).data] }
  })
  return decodeQR({ width: size, height: size, data: new Uint8ClampedArray(pixels) })
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Turns the second factor on from the password step, and returns the secret of the app and the backup codes. */
async function turnOn(page: Page): Promise<{ uri: string; codes: string[] }> {
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  const uri = await scan(page)
  await page.getByLabel('Code', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Turn on', exact: true }).last().click()
  await page.getByText('Enter the six digits').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(totpCode(uri))
  await page.getByRole('button', { name: 'Turn on', exact: true }).last().click()
  await page.getByText('Save the backup codes now').waitFor()
  const codes = await page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').allTextContents()
  return { uri, codes }
}

test('a second factor is set up with a QR code, asked for at sign-in, and turned off', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  await using visitor = await openAs(running, ann)
  const { page } = visitor
  await page.goto('/account/sign-in')
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Turn on' }).click()
  await page.getByLabel('Your password').fill('wrong horse')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The current password is wrong.').waitFor()
  const { uri, codes } = await turnOn(page)
  assert.equal(codes.length, 10)
  assert.deepEqual(await findings(page), [])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download codes' }).click(),
  ])
  assert.ok((await readFile(await download.path(), 'utf8')).endsWith(`${codes.join('\n')}\n`))
  await page.getByRole('button', { name: 'Copy codes' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${codes.join('\n')}\n`)
  await page.getByRole('button', { name: 'Done' }).click()
  await card.getByText('10 backup codes left').waitFor()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('region', { name: 'Members' }).getByRole('cell', { name: 'On', exact: true }).waitFor()

  await signOut(page)
  await enterPassword(page, ann.email)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The code is wrong.').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(totpCode(uri))
  await page.getByLabel('Trust this browser for 30 days').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  await signOut(page)
  await enterPassword(page, ann.email)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await page.goto('/account/sign-in')
  await card.getByText('1 trusted browser signs in without a code.').waitFor()
  await card.getByRole('button', { name: 'Forget trusted browsers' }).click()
  await page.getByText('All browsers ask for a code again.').waitFor()
  await signOut(page)
  await enterPassword(page, ann.email)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(codes[0]?.toLowerCase() ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()

  await page.goto('/account/sign-in')
  await card.getByText('9 backup codes left').waitFor()
  await card.getByRole('button', { name: 'New backup codes' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create codes' }).click()
  await page.getByText('Save the backup codes now').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await card.getByText('10 backup codes left').waitFor()
  await card.getByRole('button', { name: 'Turn off' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await card.getByRole('button', { name: 'Turn on' }).waitFor()
  assert.deepEqual(visitor.errors, [])
})

test('an account that requires a second factor shows its members nothing until they turn on a second factor', async () => {
  await using running = await startTestService()
  const ann = await signedIn(running, 'Ann')
  const { url } = await ann.fetchJson<{ url: string }>('POST', '/invitations', {
    email: 'ben@example.com',
    role: 'member',
  })
  const ben = consoleClient(running.url)
  const body = { token: url.split('/').at(-1), name: 'Ben', password: PASSWORD }
  await ben.fetchJson('POST', '/invitations/accept', body)
  await using browser = await openBrowser()
  await using owner = await visit(browser, running.url)
  await enterAs(owner, running, ann)
  await owner.page.goto('/account')
  const rule = owner.page.getByRole('switch', { name: 'Require a second factor' })
  await rule.waitFor()
  assert.equal(await rule.isDisabled(), true)
  await owner.page.getByRole('link', { name: 'Your sign-in' }).click()
  await owner.page
    .getByRole('region', { name: 'Second factor' })
    .getByRole('button', { name: 'Turn on' })
    .click()
  await turnOn(owner.page)
  await owner.page.getByRole('button', { name: 'Done' }).click()
  await owner.page.getByRole('link', { name: 'Members' }).click()

  await using member = await visit(browser, running.url)
  await enterAs(member, running, { ...ben, accountId: ann.accountId, email: 'ben@example.com' })
  const { page } = member
  await page.goto('/reviews')
  await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor()
  await rule.click()
  await owner.page.getByText('Members now need a second factor.').waitFor()
  await page.getByRole('link', { name: 'Destinations' }).first().click()
  await page.getByRole('heading', { name: 'Turn on a second factor' }).waitFor()
  assert.deepEqual(await findings(page), [])
  await turnOn(page)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.deepEqual([...owner.errors, ...member.errors], [])
})
