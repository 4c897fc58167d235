import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { NO_SCHEMAS } from './no-schemas.ts'

test('a route with a schema of Fastify fails at start instead of being served without validation', async () => {
  const server = Fastify({ schemaController: NO_SCHEMAS })
  server.post('/', { schema: { body: { type: 'object' } } }, async () => '')
  await assert.rejects(async () => server.ready(), /without schemas of Fastify/)
})

test('a route without one is served', async () => {
  const server = Fastify({ schemaController: NO_SCHEMAS })
  server.post('/', async () => ({ is: 'served' }))
  const { statusCode, body } = await server.inject({ method: 'POST', url: '/' })
  assert.deepEqual([statusCode, body], [200, '{"is":"served"}'])
})
