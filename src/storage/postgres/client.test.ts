import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { clientConfig } from './client.ts'

test('a server that is too busy to answer the first connection is asked again whether it has TLS', async () => {
  let connections = 0
  await using server = createServer((socket) => {
    connections += 1
    const isFirst = connections === 1
    socket.on('error', () => {})
    // The answer to the request for TLS: there is none.
    socket.once('data', () => isFirst || socket.end('N'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { ssl } = await clientConfig(`postgres://radar@127.0.0.1:${port}/radar`, 'test', 200)
  assert.deepEqual([ssl, connections], [false, 2])
})
