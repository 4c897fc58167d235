import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import type { WebhookEvent } from '../../src/contract/webhook.ts'
import { radarSignature } from '../../src/model/signature.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { radarCommand, startRadar } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const radar = await startTestService()
after(() => radar[Symbol.asyncDispose]())

const APP = { store: 'apple', appId: '901', market: 'us' } as const
addApp(radar.world, APP)
const alice = await radar.person('Alice')
const settings = { RADAR_URL: radar.url, RADAR_TOKEN: alice.token }
const hook = await alice.client.subscribe({
  target_url: 'https://127.0.0.1:9/gone',
  event_type: 'review.created',
  store: 'apple',
  app_id: APP.appId,
})
await baseline(radar, APP.appId)

/** Publishes a review. Resolves when it has an event. */
async function review(rating: number, title: string): Promise<WebhookEvent> {
  publish(radar, APP, { rating, title })
  return until(`“${title}” has an event`, async () => {
    const { data } = await alice.client.listEvents({})
    return data.find((event) => event.event_type === 'review.created' && event.title === title)
  })
}

const first = await review(1, 'It crashes \u001b[2J')
await review(5, 'Very good')

test('radar reviews prints matching reviews, newest first, as text and as JSON', async () => {
  const all = await radarCommand(['reviews'], settings)
  assert.deepEqual([all.status, all.err], [0, ''])
  const [header, ...rows] = all.out.trimEnd().split('\n')
  assert.match(header ?? '', /^published +stars +app +where +version +sentiment +text$/)
  assert.equal(rows.length, 2)
  assert.match(rows[0] ?? '', /★★★★★ .* apple us .*Very good/)
  assert.match(rows[1] ?? '', /★☆☆☆☆ .*It crashes �\[2J/)

  const bad = await radarCommand(['reviews', '--stars', '1,2', '--app', 'apple/901', '--json'], settings)
  assert.deepEqual(
    bad.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).review_id),
    ['review_id' in first ? first.review_id : null],
  )
  assert.ok(!bad.out.includes(String.fromCharCode(0x1b)))

  const limited = await radarCommand(['reviews', '--limit', '1'], settings)
  assert.match(limited.err, /^There are more: --limit prints up to 100000\.$/m)
  const none = await radarCommand(['reviews', '--text', 'no such text'], settings)
  assert.deepEqual([none.status, none.out, none.err], [0, '', 'No review matches.\n'])
})

test('radar events prints stored events and continues after the cursor of an earlier run', async () => {
  const one = await radarCommand(['events', '--limit', '1', '--json'], settings)
  assert.deepEqual([one.status, JSON.parse(one.out).event_id], [0, first.event_id])
  const [, cursor = ''] = /--after (\d+)\.$/m.exec(one.err) ?? []
  const rest = await radarCommand(['events', '--after', cursor], settings)
  assert.match(rest.out, /^\S+ \S+Z {2}review\.created .*“Very good” {2}[0-9a-f]{64}\n$/)
  const none = await radarCommand(['events', '--hook', 'hook_none'], settings)
  assert.deepEqual([none.status, none.out], [0, ''])
})

test('radar events --follow prints a new event and forwards its bytes with a valid signature', async () => {
  const requests: { body: string; signature: unknown }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push({ body: Buffer.concat(chunks).toString(), signature: request.headers['x-radar-signature'] })
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const running = startRadar(['events', '--follow', '--forward', `http://127.0.0.1:${port}/x`], settings)
  try {
    const secret = await until(
      'the secret is printed',
      () => /signed with (whsec_\S+)$/m.exec(running.err())?.[1],
    )
    // It reads only events after its first request, which the test cannot see. So the test publishes until one is forwarded.
    let event: WebhookEvent | undefined
    await until('an event is forwarded', async () => {
      if (requests.length === 0) event = await review(3, `Forwarded ${requests.length} ${Math.random()}`)
      return requests.length > 0
    })
    assert.ok(event)
    const [request] = requests
    assert.equal(request?.signature, radarSignature(secret, Buffer.from(request?.body ?? '')))
    assert.equal(JSON.parse(request?.body ?? '').subscriber_id, hook.id)
    await until('the line is printed', () => /Z {2}204 {2}review\.created /.test(running.out()))
    running.process.kill('SIGINT')
    const [status] = await once(running.process, 'close')
    assert.equal(status, 0, running.err())
    assert.match(running.err(), /^Continue with --after \d+\.$/m)
  } finally {
    running.process.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  }
})

test('an error in the token, the URL or an option is one sentence', async () => {
  const wrong: [string[], Record<string, string>, number, RegExp][] = [
    [['reviews'], { RADAR_URL: radar.url }, 1, /This command requires an API token in RADAR_TOKEN/],
    [['events'], { RADAR_URL: radar.url, RADAR_TOKEN: 'rsk_wrong' }, 1, /rejected the token/],
    [['events'], { RADAR_URL: 'http://127.0.0.1:9', RADAR_TOKEN: 'rsk_x' }, 1, /does not respond/],
    [['reviews', '--stars', '6'], settings, 2, /--stars must be a list such as 1,2, not "6"\./],
    [['reviews', '--app', '901'], settings, 2, /--app must be apple\/ID or google\/ID/],
    [['reviews', '--theme', 'banana'], settings, 2, /--theme must be one of /],
    [['events', '--after', 'x'], settings, 2, /--after must be the number that an earlier run printed/],
    [['events', '--forward', 'ftp://x'], settings, 2, /--forward must be an http or https URL/],
    [['events', '--secret-file', 'x'], settings, 2, /--secret-file requires --forward/],
    [['events', '--after', '999999999'], settings, 1, /ahead of every event/],
    [['completion', 'tcsh'], {}, 2, /SHELL must be one of bash, zsh, fish, not "tcsh"\./],
  ]
  for (const [words, environment, status, message] of wrong) {
    const result = await radarCommand(words, environment)
    assert.deepEqual([result.status, result.out], [status, ''], words.join(' '))
    assert.match(result.err, message)
  }
})
