import assert from 'node:assert/strict'
import { it } from 'node:test'
import { clientAddress } from './client-address.ts'

it('is the peer, unless a proxy nearby says whom it speaks for', () => {
  assert.equal(clientAddress('203.0.113.9', undefined), '203.0.113.9')
  assert.equal(clientAddress('127.0.0.1', undefined), '127.0.0.1')
  assert.equal(clientAddress('127.0.0.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(clientAddress('::ffff:10.0.0.2', '198.51.100.1, 203.0.113.9'), '203.0.113.9')
  assert.equal(clientAddress('::1', '2001:db8::1'), '2001:db8::1')
})

it('is never what a stranger claims', () => {
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(clientAddress('127.0.0.1', 'x'), '127.0.0.1')
  assert.equal(clientAddress('127.0.0.1', ''), '127.0.0.1')
  assert.equal(clientAddress('172.32.0.1', '198.51.100.1'), '172.32.0.1')
})
