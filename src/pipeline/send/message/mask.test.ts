import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskOf } from './mask.ts'

test('secrets are masked as they are, percent-encoded, and as parts of a URL', () => {
  const url = 'https://hooks.example.com/services/T024/B045?sig=0123456789abcdefghij'
  const mask = maskOf({ url, token: '12:AA/bb', title: 'Reviews' }, ['url', 'token'])
  assert.equal(mask(`POST ${url}`), 'POST (masked)')
  assert.equal(mask('no handler for /services/T024/B045?sig=0123456789abcdefghij'), 'no handler for (masked)')
  assert.equal(mask('sig 0123456789abcdefghij is wrong'), 'sig (masked) is wrong')
  assert.equal(mask('12:AA/bb or 12%3AAA%2Fbb'), '(masked) or (masked)')
  assert.equal(mask('Reviews of services'), 'Reviews of services')
})

test('every text inside a secret setting is masked, and nothing without one', () => {
  const settings = { headers: { authorization: 'Bearer abc', 'x-key': 'k1' }, body: '' }
  assert.equal(maskOf(settings, ['headers', 'body'])('Bearer abc with k1'), '(masked) with (masked)')
  assert.equal(maskOf(settings, ['missing'])('Bearer abc'), 'Bearer abc')
})

test('the token of a header is masked without its scheme', () => {
  const headers = { authorization: 'Bearer tk_0123456789abcdefghij', 'content-type': 'application/json' }
  const mask = maskOf({ headers }, ['headers'])
  assert.equal(mask('token tk_0123456789abcdefghij is not valid'), 'token (masked) is not valid')
  assert.equal(mask('a Bearer token in JSON'), 'a Bearer token in JSON')
})

test('a preview masks the fixed words of a template, whatever their length, but neither its names nor what fills it', () => {
  const body = `{ "topic": "abc-42", "priority": 5, "title": "{{title}}", "text": "Review by {{#if event}}mail{{/if}}", "html": true }`
  const mask = maskOf({ body }, ['body'])
  assert.equal(
    mask('{ "topic": "abc-42", "priority": 5, "title": "Great", "text": "Review by mail", "html": true }'),
    '{ "topic": "(masked)", "priority": (masked), "title": "Great", "text": "(masked)", "html": true }',
  )
  assert.equal(mask('no topic abc-42 (or xabc-42x)'), 'no topic (masked) (or x(masked)x)')
  const form = maskOf({ body: 'token=s3cr&title={{title}}&user=<b>u1</b>' }, ['body'])
  assert.equal(
    form('token=s3cr&title=Great&user=<b>u1</b>'),
    'token=(masked)&title=Great&user=<b>(masked)</b>',
  )
})

test('a preview masks a secret of one to three characters only as a word, also after an escape', () => {
  const mask = maskOf({ headers: { 'x-key': 'k1' } }, ['headers'])
  assert.equal(mask('k1 (k1) "k1" key=k1&'), '(masked) ((masked)) "(masked)" key=(masked)&')
  assert.equal(mask('"\\nk1\\u0020k1" %22k1%22'), '"\\n(masked)\\u0020(masked)" %22(masked)%22')
  assert.equal(mask('ok1 k12'), 'ok1 k12')
})

test('a preview masks the words of a header and the values of a query, whatever their length', () => {
  const settings = {
    url: 'https://e.example/send?key=q1w2&to={{title}}x',
    headers: { authorization: 'Token abc123' },
  }
  const mask = maskOf(settings, ['url', 'headers'])
  assert.equal(mask('abc123 and q1w2 are no Token'), '(masked) and (masked) are no Token')
})

test('a preview masks a secret that a service repeats in other escapes', () => {
  const mask = maskOf({ body: '{"key": "x\\ncaf\\u00e9-bar", "pass": "m\u00fcll"}' }, ['body'])
  assert.equal(mask('café-bar, caf\\u00e9-bar, m\\u00fcll'), '(masked), (masked), (masked)')
})

test('a preview masks secrets that overlap, and never its own output', () => {
  const headers = Object.fromEntries(
    ['(', 'mas', '(m', 'masked', 'ked)', ')'].map((part, at) => [`x-${at}`, part]),
  )
  const mask = maskOf({ headers }, ['headers'])
  assert.equal(mask('masked) masked) )'), '(masked)')
  assert.equal(maskOf({ a: 'abcdef', b: 'defghi' }, ['a', 'b'])('xabcdefghix'), 'x(masked)x')
})

test('a text with masks is at most five times as long, and a mask longer', () => {
  const part = fc.string({ unit: fc.constantFrom(...'(masked) ab') })
  fc.assert(
    fc.property(fc.array(part), part, (headers, text) => {
      const mask = maskOf({ headers: { ...headers } }, ['headers'])
      assert.ok(mask(text).length <= 5 * text.length + 8)
    }),
  )
})
