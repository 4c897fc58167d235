import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { listen } from '../../test/support/listen.ts'
import { builtFilesOf, pack } from '../../test/support/packed.ts'

const packed = pack('client')
after(() => packed[Symbol.dispose]())

test('the package contains only its built files and has no dependencies', () => {
  assert.deepEqual(packed.files, builtFilesOf('client'))
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies']) {
    assert.ok(!(kind in packed.manifest), kind)
  }
  for (const entry of Object.values(packed.manifest.exports)) {
    for (const path of Object.values(entry)) assert.ok(packed.files.includes(path.replace('./', '')), path)
  }
})

test('a program that imports the package compiles and runs', async () => {
  await using service = await listen(
    createServer((_request, response) => response.end('{"data":[{"rating":2}],"next_cursor":null}')),
  )
  const output =
    await packed.run(`import { type Client, createClient, type Review, type WebhookEvent } from '@review-radar/client'

const radar: Client = createClient({ baseUrl: '${service.url}', token: 'rsk_x' })
const stars: number[] = []
for await (const review of radar.listReviews({ stars: [1, 2], since: new Date(0) })) stars.push(review.rating)
const themes = (review: Review) => review.enrichment?.themes ?? []
const version = (event: WebhookEvent): string | null => (event.event_type === 'review.created' ? event.app_version : null)
console.log(JSON.stringify([stars, typeof themes, typeof version]))
`)
  assert.deepEqual(JSON.parse(output), [[2], 'function', 'function'])
})
