import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { listen } from './listen.ts'

test('a start on an IPv6 address of a machine without IPv6 names the setting', async () => {
  const server = Fastify()
  // As the system answers where IPv6 is turned off.
  server.listen = async () => {
    throw Object.assign(new Error('listen EAFNOSUPPORT'), { code: 'EAFNOSUPPORT' })
  }
  await assert.rejects(listen(server, '::', 8080), {
    name: 'StartupError',
    message:
      /^The address \[::\]:8080 needs IPv6, which this machine does not have\. Set RADAR_HOST to 0\.0\.0\.0/,
  })
})
