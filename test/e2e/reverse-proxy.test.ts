import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { startNginx, WITHOUT_NGINX } from '../support/nginx.ts'
import { startTestService } from '../support/service.ts'

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
