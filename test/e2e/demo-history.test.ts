import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDemo } from '../../src/cli/demo/run-demo.ts'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { DeliveriesPage } from '../../src/contract/console/deliveries.ts'

test('the demo starts with a month of ratings, releases and deliveries', async () => {
  let out = ''
  await runDemo({
    port: 0,
    print: (text) => {
      out += text
    },
    stop: async () => {
      const link = /Console +(\S+)/.exec(out)?.[1] ?? ''
      const entered = await fetch(link, { redirect: 'manual' })
      const cookie = entered.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const read = async <T>(path: string) => {
        const answer = await fetch(new URL(`/api/console${path}`, link), { headers: { cookie } })
        assert.equal(answer.status, 200, path)
        return (await answer.json()) as T
      }
      const page = await read<AppPage>('/apps/apple/9100000101?days=30&zone=UTC')
      const us = page.ratingHistory.find(({ storefront }) => storefront === 'us')
      assert.ok((us?.points.length ?? 0) >= 28, `${us?.points.length} points`)
      assert.ok(page.drops.length >= 2, `${page.drops.length} drops`)
      assert.ok(page.releases.length >= 2, `${page.releases.length} releases`)

      const days = new Set<string>()
      let cursor = ''
      do {
        const { deliveries, next } = await read<DeliveriesPage>(`/deliveries?limit=200${cursor}`)
        for (const { createdAt } of deliveries) days.add(createdAt.slice(0, 10))
        cursor = next === null ? '' : `&cursor=${encodeURIComponent(next)}`
      } while (cursor !== '')
      assert.ok(days.size >= 10, `${[...days]}`)
    },
  })
})
