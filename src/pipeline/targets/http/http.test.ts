import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertDigestCounts } from '../../../../test/support/chat/checks.ts'
import { assertHarmless } from '../../../../test/support/chat/harmless.ts'
import { HOSTILE_TEXTS } from '../../../../test/support/chat/hostile-texts.ts'
import {
  appriseProblemOf,
  httpProblemOf,
  ntfyProblemOf,
  seenInPush,
} from '../../../../test/support/chat/http-rules.ts'
import {
  CONSOLE_URL,
  contextWith,
  dropWith,
  reviewWith,
} from '../../../../test/support/chat/message-events.ts'
import { HTTP_PRESETS } from '../../../contract/http-presets.ts'
import type { Message } from '../target.ts'
import { http } from './http.ts'

const NTFY = http.settings.parse(HTTP_PRESETS.ntfy)
const APPRISE = http.settings.parse(HTTP_PRESETS.apprise)

function sent(message: Message) {
  assert.ok(message.kind === 'http')
  assert.equal(httpProblemOf(message), null)
  return message
}

function jsonOf(message: Message) {
  const { body } = sent(message)
  assert.ok(body !== null)
  return JSON.parse(body)
}

const ntfySeen = (message: Message) => {
  const body = jsonOf(message)
  assert.equal(ntfyProblemOf(body), null)
  return seenInPush(body)
}
const appriseSeen = (message: Message) => {
  const body = jsonOf(message)
  assert.equal(appriseProblemOf(body), null)
  return seenInPush(body)
}

test('the preset of ntfy publishes title, text and link', () => {
  const { text, links } = ntfySeen(http.message(reviewWith(), NTFY, contextWith()))
  assert.match(
    text,
    /^★★★☆☆ Great until the last update\nI use this every day.*\n\nMixed · Bug, high severity.*\nNotes & Lists/,
  )
  assert.deepEqual(links, [CONSOLE_URL])
  assert.deepEqual(ntfySeen(http.message(dropWith(), NTFY, contextWith({ consoleUrl: null }))).links, [])
})

test('the preset of Apprise sends title, text, link and type', () => {
  const body = jsonOf(http.message(dropWith(), APPRISE, contextWith()))
  assert.equal(body.title, 'Rating drop: 4.50 → 4.40 · US')
  assert.match(body.body, /^Fell by 0\.10 · 12,873 ratings\nNotes & Lists.*\nhttps:\/\/radar\.example\.com/)
  assert.equal(body.type, 'failure')
})

test('hostile texts stay values of the JSON', () => {
  assertHarmless(http, NTFY, ntfySeen)
  assertHarmless(http, APPRISE, appriseSeen)
})

test('hostile texts change neither the host, nor the number of headers and query parameters', () => {
  const settings = http.settings.parse({
    method: 'GET',
    url: 'https://push.example.com/send/{{event.author}}?title={{title}}&stars={{event.rating}}#x',
    headers: { 'X-Title': 'New: {{title}}', authorization: 'Bearer token' },
  })
  for (const text of HOSTILE_TEXTS) {
    const message = sent(http.message(reviewWith({ title: text, author: text }), settings, contextWith()))
    const url = new URL(message.url)
    assert.equal(url.host, 'push.example.com')
    assert.equal(url.pathname.split('/').length, 3, url.pathname)
    assert.deepEqual([...url.searchParams.keys()], ['title', 'stars'])
    assert.deepEqual(Object.keys(message.headers), ['x-title', 'authorization'])
    assert.equal(message.body, null)
  }
})

test('an HTTP target escapes bodies by their content type', () => {
  const bodyWith = (contentType: string, body: string) =>
    sent(
      http.message(
        reviewWith({ title: '<b> & "c"' }),
        http.settings.parse({ url: 'https://e.example/', headers: { 'Content-Type': contentType }, body }),
        contextWith(),
      ),
    ).body
  assert.equal(
    bodyWith('text/html; charset=utf-8', '<p>{{event.title}}</p>'),
    '<p>&lt;b&gt; &amp; &quot;c&quot;</p>',
  )
  assert.equal(
    bodyWith('application/x-www-form-urlencoded', 'a={{event.title}}'),
    'a=%3Cb%3E%20%26%20%22c%22',
  )
  assert.equal(bodyWith('text/plain', '{{event.title}}'), '<b> & "c"')
  assert.equal(bodyWith('application/vnd.x+json', '["{{event.title}}"]'), '["<b> & \\"c\\""]')
})

test('a digest fills the same template', () => {
  const text = assertDigestCounts(http, NTFY, ntfySeen, { count: 100, shownMin: 10 })
  assert.match(text, /and \d+ more$/)
})

test('an HTTP target explains wrong settings at their field, without quoting them', () => {
  const problemsOf = (changes: object) =>
    http.settings
      .safeParse({ method: 'POST', url: 'https://e.example/', ...changes })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('\n') ?? ''
  assert.equal(problemsOf({}), '')
  assert.match(
    problemsOf({ method: 'DELETE' }),
    /^method: method must be "POST", "PUT" or "GET", not "DELETE"\.$/,
  )
  assert.match(problemsOf({ url: 'secret' }), /^url: url must be an absolute http or https URL/)
  assert.match(problemsOf({ url: 'https://{{event.author}}/x' }), /^url: url must/)
  assert.match(problemsOf({ url: 'https://e.example{{event.author}}' }), /^url: url must have a fixed host/)
  assert.match(
    problemsOf({ url: 'https://user:secret@e.example/' }),
    /^url: url must not contain a user name or password/,
  )
  assert.match(
    problemsOf({ url: 'https://e.example/{{secret}}' }),
    /has \{\{secret\}\}, but allowed are title, text/,
  )
  assert.match(
    problemsOf({ body: '{{#if title}}' }),
    /^body: body has \{\{#if\}\} without \{\{\/if\}\} \(line 1\)\.$/,
  )
  assert.match(
    problemsOf({ body: '{"a": {{title}}' }),
    /^body: body must be JSON after it is filled .* Write \{\{title\}\} or/,
  )
  assert.ok(!problemsOf({ body: 'secret {{title}}' }).includes('secret'))
  assert.match(problemsOf({ method: 'GET', body: 'x' }), /^body: body must be empty with the method GET\.$/)
  assert.match(problemsOf({ headers: { Host: 'x' } }), /headers must not contain Host: the service sets it/)
  assert.match(problemsOf({ headers: { 'a b': 'x' } }), /which is not the name of a header/)
  assert.match(problemsOf({ headers: { a: 'x\r\nb: c' } }), /headers\.a must have only visible ASCII/)
  assert.match(problemsOf({ headers: 'x' }), /headers must be an object of up to 20 names and values\.$/)
})

test('an HTTP target shows the host only, and leaves answers to the general rules', () => {
  assert.equal(
    http.shownUrl({ ...NTFY, url: 'https://ntfy.example.com:8443/secret' }),
    'https://ntfy.example.com:8443/…',
  )
  assert.equal(http.failureOf({ status: 404, headers: {}, body: '' }), null)
})

test('values in URLs and headers are short', () => {
  const settings = http.settings.parse({
    method: 'GET',
    url: 'https://push.example.com/?m={{text}}',
    headers: { 'x-text': '{{text}}' },
  })
  const message = sent(http.message(reviewWith({ body: 'word '.repeat(2_000) }), settings, contextWith()))
  assert.ok(message.url.length < 1_000, `${message.url.length} characters`)
  assert.ok((message.headers['x-text'] ?? '').length <= 500)
})
