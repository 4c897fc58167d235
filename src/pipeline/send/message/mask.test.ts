import assert from 'node:assert/strict'
import { test } from 'node:test'
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
