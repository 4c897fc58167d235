import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSecret, signatureHeaders } from '../../model/signature.ts'
import { signatureFault } from './signature-fault.ts'

const body = Buffer.from('{"title":"Größe 🎈"}')
const [secret, newer] = [newSecret(), newSecret()]
const signed = (secrets: readonly string[]) =>
  signatureHeaders({ secrets, eventId: 'e'.repeat(64), body, at: new Date(0) })

test('a signature of the service is valid, also during the overlap of an older secret', () => {
  assert.equal(signatureFault({ headers: signed([secret]), body }, secret), null)
  assert.equal(signatureFault({ headers: signed([newer, secret]), body }, newer), null)
})

test('every invalid request has its own message', () => {
  const headers = signed([secret])
  const spaced = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2))
  const upper = { ...headers, 'x-radar-signature': headers['x-radar-signature']?.toUpperCase() }
  const faults: [Parameters<typeof signatureFault>, RegExp][] = [
    [[{ headers: {}, body }, secret], /is missing/],
    [[{ headers: { 'x-radar-signature': '' }, body }, secret], /is missing/],
    [[{ headers: upper, body }, secret], /is not "sha256=" and 64 lowercase hex digits/],
    [[{ headers, body: spaced }, secret], /the same JSON but different bytes/],
    [[{ headers: signed([newer, secret]), body }, secret], /was rotated/],
    [[{ headers, body: Buffer.from('{"title":"other"}') }, secret], /does not match/],
    [[{ headers, body: Buffer.from('no JSON') }, secret], /does not match/],
    [[{ headers, body }, newer], /does not match/],
  ]
  for (const [given, sentence] of faults) assert.match(signatureFault(...given) ?? 'no fault', sentence)
})
