import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { signingKeyOf, unwrapped } from './signed-token.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test('a key is read as people paste it: with a byte order mark, on one line, indented, escaped, or in base64', () => {
  const base64 = Buffer.from(pem).toString('base64')
  for (const pasted of [
    pem,
    `\uFEFF${pem}`,
    pem.replaceAll('\n', '\r\n'),
    pem.replaceAll('\n', ' '),
    pem.replaceAll('\n', ''),
    pem.replaceAll(/^/gm, '    '),
    pem.replaceAll('\n', '\\n'),
    base64,
    base64.replaceAll(/.{60}/g, '$&\n'),
    Buffer.from(`\uFEFF${pem}`).toString('base64'),
  ]) {
    const read = signingKeyOf(pasted, 'ec')
    assert.ok(typeof read === 'object', `${JSON.stringify(pasted.slice(0, 60))}: ${JSON.stringify(read)}`)
    assert.deepEqual(read.key.export({ format: 'jwk' }), privateKey.export({ format: 'jwk' }))
  }
})

test('a key with a missing part, or base64 without its frame, is refused', () => {
  const lines = pem.trim().split('\n')
  for (const [pasted, problem] of [
    [[lines[0], ...lines.slice(2)].join('\n'), /a part of the file is missing/],
    [lines.slice(0, -1).join('\n'), /a part of the file is missing/],
    [lines.slice(1, -1).join(''), /not in PEM format/],
    ['', /not in PEM format/],
  ] as const)
    assert.match(String(signingKeyOf(pasted, 'ec')), problem)
})

test('a key file in JSON is unwrapped from a byte order mark and from base64', () => {
  const json = '{"type":"service_account"}'
  for (const pasted of [json, `\uFEFF${json}\n`, Buffer.from(json).toString('base64')])
    assert.equal(unwrapped(pasted), json)
  assert.equal(unwrapped('c29tZSB0ZXh0'), 'c29tZSB0ZXh0')
})
