import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { consoleClient } from '../support/console-client.ts'
import { freePort } from '../support/free-port.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { startNginx, WITHOUT_NGINX } from '../support/nginx.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'

/** As the sign-in page at `url` sends it. */
function signInAt(url: string) {
  return fetch(`${url}/api/console/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-radar-console': '1',
      origin: url,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
  })
}

test('the service behind an nginx with its default Host names RADAR_PUBLIC_URL, and works once it is set', {
  skip: WITHOUT_NGINX,
}, async () => {
  const port = await freePort()
  await using unset = await startTestService()
  {
    await using nginx = await startNginx(port, `location / { proxy_pass ${unset.url}; }`)
    const refused = await signInAt(nginx.url)
    assert.deepEqual(
      [refused.status, await refused.json()],
      [
        403,
        {
          error: `This request comes from ${nginx.url}, but the service is at ${unset.url} and got the Host ${new URL(unset.url).host}. If ${nginx.url} is the URL of this console, set RADAR_PUBLIC_URL to it and restart the service.`,
        },
      ],
    )
  }
  await using set = await startTestService({ RADAR_PUBLIC_URL: `http://127.0.0.1:${port}` })
  await using nginx = await startNginx(port, `location / { proxy_pass ${set.url}; }`)
  assert.equal((await signInAt(nginx.url)).status, 401)
})

test('the service below a path of a host, behind nginx, answers commands, assistants, feed readers and the identity provider there', {
  skip: WITHOUT_NGINX,
}, async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}/radar`
  await using provider = await startIdentityProvider()
  await using radar = await startTestService({ ...provider.settings, RADAR_PUBLIC_URL: publicUrl })
  await using _ = await startNginx(port, `location /radar/ { proxy_pass ${radar.url}; }`)
  const { token } = await radar.person('Alice')
  const headers = { authorization: `Bearer ${token}` }

  const listed = await radarCommand(['reviews'], { RADAR_URL: publicUrl, RADAR_TOKEN: token })
  assert.deepEqual([listed.status, listed.err], [0, 'No review matches.\n'])

  const assistant = new Client({ name: 'test', version: '1' })
  await assistant.connect(
    new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { requestInit: { headers } }),
  )
  assert.notEqual((await assistant.listTools()).tools.length, 0)
  await assistant.close()

  addApp(radar.world, { store: 'apple', appId: '1' })
  const send = (method: string, path: string, body: object) =>
    fetch(`${publicUrl}/api/v1${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  assert.equal((await send('PUT', '/tracked-apps/apple/1', { countries: ['us'] })).status, 204)
  const created = await send('POST', '/atom-feeds', { store: 'apple', app_id: '1' })
  const { url: feedUrl } = (await created.json()) as { url: string }
  assert.ok(feedUrl.startsWith(`${publicUrl}/atom/`), feedUrl)
  assert.equal((await fetch(feedUrl)).status, 200)

  const client = consoleClient(publicUrl)
  const started = await client.fetchJson<{ url: string }>('POST', '/sso', { next: '/reviews' })
  const atProvider = await fetch(started.url, { redirect: 'manual' })
  const back = atProvider.headers.get('location') ?? ''
  assert.ok(back.startsWith(`${publicUrl}/api/console/sso/callback?`), back)
  const returned = await client.request('GET', back.slice(`${publicUrl}/api/console`.length))
  assert.equal(returned.headers.get('location'), '/radar/sign-in?problem=unknown_user&next=%2Freviews')
  const cookies = returned.headers.getSetCookie()
  assert.match(cookies.join(), /Path=\/radar\/api\/console\/sso;/)
})
