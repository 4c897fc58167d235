import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { StatusView } from '../../src/contract/console/status.ts'
import type { SystemView } from '../../src/contract/console/system.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { consoleClient, PASSWORD, signedIn } from '../support/console-client.ts'
import { publish } from '../support/publish.ts'
import { baseline } from '../support/radar.ts'
import { radarCommand } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const APP = { store: 'apple', appId: '601', name: 'Notes' } as const
const DISK_MIB = 48

/** A small file system; null where this user may not mount one. */
function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'radar-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Writes until nothing fits. */
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const bytes of [1024 ** 2, 4096])
          try {
            for (;;) if (writeSync(file, Buffer.alloc(bytes)) < bytes) break
          } catch (error) {
            assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
          }
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast),
    [Symbol.dispose]() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

test('a service on a full disk reports it everywhere, keeps reading, stops polling, and resumes when there is space', async (t) => {
  using disk = smallDisk()
  if (disk === null) return t.skip('this user may not mount a file system')
  const logged: string[] = []
  const log = {
    ...silentLog,
    error: (event: string) => logged.push(event),
    info: (event: string) => logged.push(event),
  }
  await using radar = await startTestService(
    { RADAR_DATA_DIR: disk.folder, RADAR_DATABASE_URL: `sqlite:${join(disk.folder, 'radar.db')}` },
    { engine: 'sqlite', log },
  )
  addApp(radar.world, APP)
  const ann = await signedIn(radar, 'Ann')
  await ann.fetchJson('PUT', `/v1/tracked-apps/apple/${APP.appId}`, { countries: ['us'] })
  await baseline(radar, APP.appId)
  const readyz = async () =>
    (await radar.request('/readyz')).json() as { reasons: string[]; warnings: string[] }
  const incidents = async () => (await ann.fetchJson<StatusView>('GET', '/status')).installation ?? []
  assert.deepEqual(await readyz(), { status: 'ready', reasons: [], warnings: [] })
  assert.deepEqual(await incidents(), [])

  disk.fill()
  const isStopped = (text: string) => /^The disk of the database is full.* have stopped/.test(text)
  await until('the service noticed', async () => (await readyz()).reasons.some(isStopped))
  assert.ok(logged.includes('disk.full'))
  const stopped = (await incidents()).find(({ what }) => isStopped(what))
  assert.equal(stopped?.grade, 'problem')
  const system = await ann.fetchJson<SystemView>('GET', '/system')
  assert.ok(system.reasons.some(isStopped) && (system.diskFreeBytes ?? 1e9) < 1024 ** 2)
  assert.match((await radar.request('/metrics')).text, /^radar_disk_full 1$/m)
  const doctor = await radarCommand(['doctor'], radar.environment)
  assert.equal(doctor.status, 1)
  assert.match(doctor.out, /The disk of the database is full/)

  const refused = await ann.request('PUT', `/v1/tracked-apps/apple/${APP.appId}`, { countries: ['us', 'de'] })
  assert.equal(refused.status, 503)
  assert.match(refused.text, /The disk of the database is full: nothing can be changed/)
  assert.equal(refused.headers.get('retry-after'), '60')
  const signIn = await consoleClient(radar.url).request('POST', '/auth/sign-in/email', {
    email: ann.email,
    password: PASSWORD,
  })
  assert.deepEqual(
    [signIn.status, /The disk of the database is full/.test(signIn.text)],
    [503, true],
    signIn.text,
  )

  publish(radar, { ...APP, market: 'us' }, { body: 'written while the disk was full' })
  const reviews = () => ann.fetchJson<{ data: { body: string }[] }>('GET', '/v1/reviews')
  assert.ok(!(await reviews()).data.some(({ body }) => body.startsWith('written')))

  disk.free()
  await until('the review is found', async () =>
    (await reviews()).data.some(({ body }) => body.startsWith('written')),
  )
  assert.deepEqual((await readyz()).reasons, [])
  assert.deepEqual(await incidents(), [])
  assert.ok(logged.includes('disk.recovered'))
})
