import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSealer, parseSealKey, UnsealFailed } from './seal.ts'

const sealer = createSealer(Buffer.alloc(32, 7))

test('any sealed text can be opened', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, owner) => {
      assert.equal(sealer.open(sealer.seal(text, owner), owner), text)
    }),
  )
})

test('sealing the same text twice gives different bytes', () => {
  assert.notEqual(sealer.seal('secret', 'api-1'), sealer.seal('secret', 'api-1'))
})

test('the sealed form does not contain the text', () => {
  assert.ok(!Buffer.from(sealer.seal('whsec_abc', 'api-1')).includes('whsec_abc'))
})

test('a secret moved to another hook cannot be opened', () => {
  assert.throws(() => sealer.open(sealer.seal('secret', 'api-1'), 'api-2'), UnsealFailed)
})

test('a sealed text with a changed byte cannot be opened', () => {
  const sealed = sealer.seal('secret', 'api-1')
  const [version, keyId, data = ''] = sealed.split('.')
  const bytes = Buffer.from(data, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const text = `${version}.${keyId}.${changed.toString('base64url')}`
    assert.throws(() => sealer.open(text, 'api-1'), UnsealFailed)
  }
})

test('another key does not open it, and the message names both keys', () => {
  const other = createSealer(randomBytes(32))
  assert.throws(
    () => other.open(sealer.seal('secret', 'api-1'), 'api-1'),
    (error: Error) =>
      error instanceof UnsealFailed &&
      error.message.includes(sealer.keyId) &&
      error.message.includes(other.keyId),
  )
})

test('a truncated or unknown text is rejected', () => {
  for (const text of ['', 's1', `s1.${sealer.keyId}.`, `s1.${sealer.keyId}.AAAA`, 'whsec_plain'])
    assert.throws(() => sealer.open(text, 'api-1'), UnsealFailed)
})

test('a key must be base64, base64url or hex of 32 bytes', () => {
  const key = randomBytes(32)
  for (const form of ['base64', 'base64url', 'hex'] as const)
    assert.deepEqual(parseSealKey(`${key.toString(form)}\n`), key)
  for (const bad of [
    '',
    'short',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('hex'),
    'z'.repeat(64),
  ])
    assert.equal(parseSealKey(bad), null)
})
