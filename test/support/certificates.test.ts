import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect, createServer } from 'node:tls'
import { createAuthority } from './certificates.ts'

test('a client that trusts the authority accepts its servers by name and address, and no others', async () => {
  const authority = createAuthority()
  const server = createServer(authority.issue('localhost', '127.0.0.1'), (socket) => socket.end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const errorOf = async (servername: string | undefined, ca: string) => {
    const socket = connect({ host: '127.0.0.1', port, ca, ...(servername !== undefined && { servername }) })
    const error = await once(socket, 'secureConnect').then(
      () => null,
      ({ code }) => code,
    )
    socket.destroy()
    return error
  }
  try {
    assert.equal(await errorOf('localhost', authority.certificate), null)
    assert.equal(await errorOf(undefined, authority.certificate), null)
    assert.equal(await errorOf('other.example', authority.certificate), 'ERR_TLS_CERT_ALTNAME_INVALID')
    assert.notEqual(await errorOf('localhost', createAuthority().certificate), null)
  } finally {
    server.close()
  }
})
