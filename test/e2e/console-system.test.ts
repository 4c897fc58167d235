import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { SystemView } from '../../src/contract/console/system.ts'
import { APP, startConsoleArea } from '../support/console-area.ts'
import { ENGINE } from '../support/service.ts'
import { until } from '../support/until.ts'

const area = await startConsoleArea()
after(() => area[Symbol.asyncDispose]())
const { running, ann, fetchJson, fetchError, trackStorefronts, write } = area
await trackStorefronts()

describe('the system page', () => {
  it('the system page shows nodes, stores, queues, feeds and settings, with secrets masked', async () => {
    const system = await fetchJson<SystemView>('GET', '/system')
    assert.equal(system.engine, ENGINE)
    assert.equal(system.nodes.length, 1)
    assert.deepEqual(
      system.stores.map(({ store }) => store),
      ['apple', 'google'],
    )
    assert.ok(system.feeds.length >= 2)
    assert.ok(system.storageBytes > 0)
    assert.equal(system.settings.find(({ name }) => name === 'RADAR_PORT')?.fromDefault, false)
    await fetchError(404, 'GET', `/system/feeds/${system.feeds[0]?.id}/raw`)
    await fetchError(404, 'GET', '/system/feeds/x/raw')
  })

  it('the system page returns the last store response of unknown format as text', async () => {
    const over = running.world.setFault({ store: 'apple', appId: APP }, { kind: 'changed' })
    const feed = await until('a raw answer is kept', async () => {
      const { feeds } = await fetchJson<SystemView>('GET', '/system')
      return feeds.find(({ hasRawAnswer }) => hasRawAnswer)
    }).finally(over)
    const raw = await ann.request('GET', `/system/feeds/${feed.id}/raw`)
    assert.match(raw.headers.get('content-type') ?? '', /^text\/plain/)
    assert.match(raw.headers.get('content-disposition') ?? '', /^attachment/)
    assert.ok(raw.text.length > 0)
  })
})

describe('malformed rows and sources on the system page', () => {
  it('malformed rows and sources on the system page are listed with their raw form', async () => {
    const place = { store: 'apple', appId: APP } as const
    for (const rating of [1, 2, 3]) write({ rating })
    const overShell = running.world.setFault({ ...place, source: 'rss' }, { kind: 'empty_shell' })
    const ids = running.world.reviews({ ...place, market: 'us' }).map((review) => review.id)
    const overMalformed = running.world.setFault(
      { ...place, source: 'web' },
      { kind: 'malformed_rows', reviewIds: ids.slice(-1) },
    )
    try {
      const system = await until('a row is in quarantine and another source is in use', async () => {
        const view = await fetchJson<SystemView>('GET', '/system')
        return view.quarantine.total > 0 && view.sources.length > 0 ? view : null
      })
      assert.equal(system.quarantine.rows[0]?.rowKey, ids.at(-1))
      assert.equal(system.sources[0]?.fallback?.source, 'web')
      const rows = await ann.request('GET', '/system/quarantine')
      assert.match(rows.headers.get('content-disposition') ?? '', /^attachment/)
      const [row] = rows.text.split('\n')
      assert.match(JSON.parse(row ?? '').raw, /"rating":0/)
    } finally {
      overMalformed()
      overShell()
    }
  })
})
