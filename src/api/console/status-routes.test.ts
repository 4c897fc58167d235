import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusView } from '../../contract/console/status.ts'
import { statusRoutes } from './status-routes.ts'

async function statusWith(...warnings: readonly string[]): Promise<StatusView> {
  const status = { ofAccount: async () => [], ofInstallation: async () => [] }
  const [route] = statusRoutes({
    operations: { status },
    readinessExceptClock: async () => ({ ready: true, reasons: [], warnings: [...warnings] }),
    disk: { state: () => ({ level: 'ok' }) },
  })
  const call = { caller: { accountId: 'alice', operator: true } }
  return (await route?.run(call as never)) as StatusView
}

test('a warning of the node keeps its key while its figures change, and others have another one', async () => {
  const keysOf = async (...warnings: readonly string[]) =>
    (await statusWith(...warnings)).installation?.map(({ key }) => key)
  const before = await keysOf('12 feeds were not polled.', 'The disk has 1.5 GB left.')
  assert.deepEqual(await keysOf('1,340 feeds were not polled.', 'The disk has 0.9 GB left.'), before)
  assert.equal(new Set(before).size, 2)
})
