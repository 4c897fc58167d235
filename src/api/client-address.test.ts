import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { addressOf, readForwarded } from './client-address.ts'

/** The client and the protocol that the server sees in a request with these headers, from a trusted or an unknown proxy. */
async function seen(headers: Record<string, string>, remoteAddress = '10.0.0.1') {
  const server = Fastify({ trustProxy: ['10.0.0.0/8'] })
  readForwarded(server)
  server.get('/', (request) => ({ address: addressOf(request), protocol: request.protocol }))
  const answer = await server.inject({ url: '/', headers, remoteAddress })
  return answer.json<{ address: string; protocol: string }>()
}

test('a client is read from X-Forwarded-For with ports, brackets, quotes and zones', async () => {
  for (const [value, address] of [
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:51234', '203.0.113.5'],
    ['[2001:db8::5]:443', '2001:db8::5'],
    ['[2001:db8::5]', '2001:db8::5'],
    ['2001:db8::5', '2001:db8::5'],
    ['"[2001:db8::5]:443"', '2001:db8::5'],
    ['fe80::1%eth0', 'fe80::1'],
    ['198.51.100.1:1, 203.0.113.5:2, 10.0.0.9:3', '203.0.113.5'],
    ['unknown', '10.0.0.1'],
    ['203.0.113.5:port', '10.0.0.1'],
  ] as const) {
    assert.equal((await seen({ 'x-forwarded-for': value })).address, address, value)
  }
})

test('a client is read from Forwarded where the proxy sends no X-Forwarded-For', async () => {
  const forwarded = 'for=198.51.100.1, For="[2001:db8:cafe::17]:4711";proto=https;by=203.0.113.43'
  assert.deepEqual(await seen({ forwarded }), { address: '2001:db8:cafe::17', protocol: 'https' })
  assert.equal((await seen({ forwarded, 'x-forwarded-for': '203.0.113.5' })).address, '203.0.113.5')
  for (const odd of ['for=_hidden', 'for="', 'for', ';,;', 'for="a\\"b"']) {
    assert.equal((await seen({ forwarded: odd })).address, '10.0.0.1', odd)
  }
  assert.equal((await seen({ forwarded }, '192.0.2.1')).address, '192.0.2.1')
})
