import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { builtFilesOf, pack } from '../../test/support/packed.ts'

const packed = pack('receiver')
after(() => packed[Symbol.dispose]())

test('the package contains only its built files and has no dependencies', () => {
  assert.deepEqual(packed.files, builtFilesOf('receiver'))
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']) {
    assert.ok(!(kind in packed.manifest), kind)
  }
})

test('every export of the package is one of its files', () => {
  const entries = Object.values(packed.manifest.exports).flatMap((entry) => Object.values(entry))
  assert.ok(entries.length >= 16)
  assert.deepEqual(
    entries.filter((path) => !packed.files.includes(path.replace('./', ''))),
    [],
  )
})

test('a program that imports the package compiles and runs', async () => {
  const output =
    await packed.run(`import { ReceiverError, verify, type WebhookEvent } from '@review-radar/receiver'
import { expressHandler } from '@review-radar/receiver/express'
import { radarWebhook } from '@review-radar/receiver/fastify'
import { fetchHandler } from '@review-radar/receiver/fetch'
import { honoHandler } from '@review-radar/receiver/hono'
import { nextHandler } from '@review-radar/receiver/next'
import { nodeHandler } from '@review-radar/receiver/node'
import { newSecret, sampleEvent, sign, signedRequest } from '@review-radar/receiver/testing'

const secret = newSecret()
const body = JSON.stringify(sampleEvent('review.created', { rating: 2 }))
const headers = await sign(body, { secrets: [secret] })
const event: WebhookEvent = await verify(body, headers, { secret })
const stars: number = event.event_type === 'review.created' ? event.rating : 0
const rejected = await verify(body + ' ', headers, { secret }).catch((error: unknown) =>
  error instanceof ReceiverError ? error.code : 'other',
)
const options = { secret, onEvent: () => {} }
const types = [expressHandler, radarWebhook, honoHandler, nextHandler, nodeHandler].map((make) =>
  typeof make({ ...options, path: '/radar' }),
)
const answer = await fetchHandler(options)(
  await signedRequest('https://radar.test/', sampleEvent('rating.dropped'), { secrets: [secret] }),
)
console.log(JSON.stringify([stars, rejected, new Set(types).size, answer.status]))
`)
  assert.deepEqual(JSON.parse(output), [2, 'signature_mismatch', 1, 204])
})
