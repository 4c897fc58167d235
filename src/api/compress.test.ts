import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { compressAnswers } from './compress.ts'

test('an answer is compressed for exactly the clients that accept gzip', async () => {
  const server = Fastify()
  compressAnswers(server)
  server.get('/', async () => 'a'.repeat(2_000))
  const encodingFor = async (accepted: string | null) => {
    const headers = accepted === null ? {} : { 'accept-encoding': accepted }
    const answer = await server.inject({ url: '/', headers })
    assert.equal(answer.headers.vary, 'accept-encoding')
    return answer.headers['content-encoding'] ?? 'none'
  }
  for (const accepted of ['gzip', 'br, GZIP;q=0.5', 'deflate,gzip ; q=1.0', '*', 'identity;q=0.1, *;q=0.2'])
    assert.equal(await encodingFor(accepted), 'gzip', accepted)
  for (const accepted of [
    null,
    '',
    'br',
    'gzip;q=0',
    'gzip;q=0.000, *',
    'identity, *;q=0',
    'pack200-gzip',
    'gzip-x',
    'notgzip',
  ])
    assert.equal(await encodingFor(accepted), 'none', String(accepted))
})
