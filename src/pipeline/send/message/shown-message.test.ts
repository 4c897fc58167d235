import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskOf } from './mask.ts'
import { shownMessage } from './shown-message.ts'

const SECRET = 'secretSecretSecretSecret'
const mask = maskOf({ token: SECRET }, ['token'])

function request(body: string) {
  return { kind: 'http', method: 'POST', url: 'https://example.com/', headers: {}, body } as const
}

test('the body of a request is shown without secrets, also at the place where it is cut', () => {
  assert.equal(shownMessage(request(`{"key":"${SECRET}"}`), mask, 1), '{"key":"(masked)"}')
  const long = shownMessage(request('x'.repeat(16_380) + SECRET), mask, 1)
  assert.ok(!long.includes(SECRET.slice(0, 4)) && long.endsWith('…'))
})

test('subject and text of a mail are shown without the link that unsubscribes', () => {
  const text = 'Hello\n\nUnsubscribe: https://radar.example.com/unsubscribe/s1.abc-_123.XYZ\n'
  const mail = { kind: 'mail', to: [], subject: 'Reviews', text, html: '', headers: {}, images: [] } as const
  assert.equal(
    shownMessage(mail, mask, 1),
    'Subject: Reviews\n\nHello\n\nUnsubscribe: https://radar.example.com/unsubscribe/(masked)\n',
  )
})

test('less of a message with several events is kept, and only whole characters', () => {
  const shown = shownMessage(request('★'.repeat(10_000)), mask, 2)
  assert.match(shown, /^★+…$/)
  assert.ok(Buffer.byteLength(shown) <= 4_099)
  assert.equal(shownMessage(request('a\0b\ud800'), mask, 1), 'a\ufffdb\ufffd')
})
