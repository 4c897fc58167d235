import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD, signedIn } from '../../test/support/console-client.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startNginx, WITHOUT_NGINX } from '../../test/support/nginx.ts'
import { openBrowser, visit } from './support/browser.ts'
import { NOTES, startSeededConsole } from './support/seeded-console.ts'

/** nginx passes the base path on without a path in `proxy_pass`, and removes it with one. */
const PROXIES = [
  ['passes the path on', (url: string) => `location /radar/ { proxy_pass ${url}; }`],
  ['removes the path', (url: string) => `location /radar/ { proxy_pass ${url}/; }`],
] as const

for (const [how, server] of PROXIES) {
  test(`the console works below a path of a host, behind an nginx that ${how}`, {
    skip: WITHOUT_NGINX,
  }, async () => {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}/radar`
    await using seeded = await startSeededConsole({ RADAR_PUBLIC_URL: publicUrl })
    await using _ = await startNginx(port, server(seeded.running.url))
    const ben = await signedIn(seeded.running, 'Ben')
    await ben.fetchJson('PUT', `/v1/tracked-apps/${NOTES.store}/${NOTES.appId}`, { countries: ['us'] })
    await using browser = await openBrowser()
    await using visitor = await visit(browser, publicUrl)
    const { page, context } = visitor
    const wrong: string[] = []
    page.on('response', (answer) => {
      const isOutside = !answer.url().startsWith(`${publicUrl}/`)
      if (isOutside || (answer.status() >= 400 && answer.status() !== 401))
        wrong.push(`${answer.status()} ${answer.url()}`)
    })

    // A page that needs a sign-in comes back after it, and keeps its filters.
    await page.goto(`${publicUrl}/apps?grouped=yes`)
    await page.getByLabel('E-mail').fill(ben.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Apps' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/radar/apps')
    assert.deepEqual(
      (await context.cookies()).map(({ path }) => path),
      ['/radar'],
    )

    // Links within the console, and a page that is loaded anew from its own address.
    await page.getByRole('link', { name: NOTES.name }).click()
    await page.getByRole('heading', { level: 1, name: NOTES.name }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: NOTES.name }).waitFor()
    for (const name of ['Deliveries', 'Destinations', 'Overview']) {
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    assert.equal(page.url(), `${publicUrl}/`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

    await page.goto(`${publicUrl}/docs`)
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
    await page.getByRole('link', { name: 'OpenAPI 3.1 document' }).click()
    assert.equal(page.url(), `${publicUrl}/openapi.json`)
    assert.deepEqual(wrong, [])
    assert.deepEqual(visitor.errors, [])
  })
}
