import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from './guard.ts'
import { checkTargetUrl, TARGET_URL_CHARS_MAX } from './target-url.ts'

const strict = createGuard({ allowCidrs: [] })
const local = createGuard({ allowCidrs: ['127.0.0.0/8', '::1'] })

test('a valid URL is accepted in its canonical form, without its fragment', () => {
  assert.deepEqual(checkTargetUrl('https://Example.com:443/Hook?a=1#part', strict), {
    ok: true,
    url: 'https://example.com/Hook?a=1',
  })
  for (const url of [
    'http://example.com',
    'https://example.com:8443/x',
    'https://b\u00fccher.example/',
    'http://8.8.8.8:1/',
  ]) {
    assert.ok(checkTargetUrl(url, strict).ok, url)
  }
})

const rejections: readonly [string, string, RegExp][] = [
  ['an empty text', '', /absolute URL/],
  ['a relative URL', '/hook', /absolute URL/],
  ['a scheme that is not HTTP', 'ftp://example.com/', /http:\/\/ or https:\/\//],
  ['a script', 'javascript:alert(1)', /http:\/\/ or https:\/\//],
  ['a file', 'file:///etc/passwd', /http:\/\/ or https:\/\//],
  ['a user name', 'https://me@example.com/', /user name or password/],
  ['a password', 'https://:secret@example.com/', /user name or password/],
  ['port 0', 'https://example.com:0/', /port 0/],
  ['a port beyond the last', 'https://example.com:65536/', /absolute URL/],
  ['a space', 'https://example.com/a b', /spaces or control/],
  ['a line break that a parser would drop', 'https://exa\nmple.com/', /spaces or control/],
  ['a space before it', ' https://example.com/', /spaces or control/],
  [
    'too many characters',
    `https://example.com/${'x'.repeat(TARGET_URL_CHARS_MAX)}`,
    /more than 2048 characters/,
  ],
  ['a private address', 'http://10.1.2.3/', /RADAR_ALLOW_TARGET_CIDRS/],
  ['a loopback address', 'http://127.0.0.1:8080/', /RADAR_ALLOW_TARGET_CIDRS/],
  ['a loopback address as one number', 'http://2130706433/', /127\.0\.0\.1.*RADAR_ALLOW_TARGET_CIDRS/],
  ['a loopback address in full-width digits', 'http://\uff11\uff12\uff17.1/', /127\.0\.0\.1/],
  ['the address that means this machine', 'http://0/', /0\.0\.0\.0/],
  ['IPv6 loopback', 'http://[::1]/', /::1.*RADAR_ALLOW_TARGET_CIDRS/],
  ['IPv4 mapped into IPv6', 'http://[::ffff:127.0.0.1]/', /RADAR_ALLOW_TARGET_CIDRS/],
  ['localhost', 'http://localhost:3000/', /this machine itself.*RADAR_ALLOW_TARGET_CIDRS/],
  ['localhost with a dot', 'http://localhost./', /this machine itself/],
  ['a name under localhost', 'http://hooks.LOCALHOST/', /this machine itself/],
]
for (const [what, text, reason] of rejections) {
  test(`${what} is rejected with the reason`, () => {
    const check = checkTargetUrl(text, strict)
    assert.equal(check.ok, false)
    assert.match(check.ok ? '' : check.problem, reason)
    assert.match(check.ok ? '' : check.problem, /^[a-z].*\.$/)
  })
}

test('local addresses are accepted if the operator allows them, but metadata addresses never', () => {
  for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:9/']) {
    assert.ok(checkTargetUrl(url, local).ok, url)
  }
  const half = createGuard({ allowCidrs: ['127.0.0.0/8'] })
  assert.equal(checkTargetUrl('http://localhost/', half).ok, false, 'it may resolve to ::1')
  const permissive = createGuard({ allowCidrs: ['0.0.0.0/0', '::/0'] })
  for (const url of [
    'http://169.254.169.254/latest/',
    'http://[::ffff:169.254.169.254]/',
    'http://168.63.129.16/',
  ]) {
    const check = checkTargetUrl(url, permissive)
    assert.match(check.ok ? '' : check.problem, /metadata address, which is never called/)
    assert.doesNotMatch(check.ok ? '' : check.problem, /RADAR_ALLOW/)
  }
})

test('a name that only contains localhost is accepted', () => {
  assert.ok(checkTargetUrl('https://localhost.example.com/', strict).ok)
  assert.ok(checkTargetUrl('https://mylocalhost/', strict).ok)
})
