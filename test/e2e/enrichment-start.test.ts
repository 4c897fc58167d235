import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Ready = { readonly status: string; readonly reasons: readonly string[] }

async function readiness(url: string): Promise<Ready> {
  const answer = await fetch(`${url}/readyz`)
  return (await answer.json()) as Ready
}

test('a node responds to HTTP while its language engine is built, and is ready after that', async () => {
  await using radar = await startTestService({ RADAR_ENRICHMENT: 'offline' })
  const { url } = radar.service
  const first = await readiness(url)
  assert.equal(first.status, 'not ready')
  assert.deepEqual(first.reasons, ['enrich: The language engine is starting.'])
  let slowestMs = 0
  await until('it is ready', async () => {
    const askedAtMs = performance.now()
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    slowestMs = Math.max(slowestMs, performance.now() - askedAtMs)
    return (await readiness(url)).status === 'ready'
  })
  // Built on the main thread, the engine would block HTTP for 2 s on two processors.
  assert.ok(slowestMs < 1_000, `/healthz took ${slowestMs} ms`)
})

const NOT_BUILT: readonly Readonly<Record<string, string>>[] = [
  { RADAR_ENRICHMENT: 'off' },
  { RADAR_ENRICHMENT: 'offline', RADAR_ROLES: 'api' },
]

for (const settings of NOT_BUILT) {
  test(`with ${JSON.stringify(settings)} a node does not wait for an engine`, async () => {
    await using radar = await startTestService(settings)
    assert.equal((await readiness(radar.service.url)).status, 'ready')
  })
}
