import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startConsumer } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { servedUrl, startRadar } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Sets the wall clock of a real process with libfaketime. Debian and Ubuntu: `apt-get install faketime`. */

const LIBRARY = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file))

const place = { store: 'google', appId: 'com.example.faketime', market: 'en' } as const
const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const

/** The service checks the clock every ten seconds, and the machine may be busy. */
const SAID_MS_MAX = 60_000

test('a process polls and delivers while its clock jumps 400 days ahead and back, and an hour back', {
  skip: LIBRARY === undefined ? 'libfaketime is not installed on this machine' : false,
}, async () => {
  await using consumer = await startConsumer()
  // Creates the stores, the settings and the hook. Then the process with the wrong clock uses the database.
  await using radar = await startTestService({}, { engine: 'sqlite' })
  addApp(radar.world, place)
  const alice = await radar.person('Alice')
  await subscribe(alice, consumer, 'faketime', wants)
  await baseline(radar, place.appId)
  await radar.service.stop()

  const file = join(radar.environment.RADAR_DATA_DIR ?? '', 'time')
  const setClock = (offset: string) => {
    // Written atomically, so that no partial file is read.
    writeFileSync(`${file}.new`, `${offset}\n`)
    renameSync(`${file}.new`, file)
  }
  setClock('+0')
  const serve = async () => {
    const running = startRadar(['serve'], {
      ...radar.environment,
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    })
    return { running, url: await servedUrl(running) }
  }
  const end = async ({ running }: Awaited<ReturnType<typeof serve>>) => {
    running.process.kill('SIGTERM')
    if (running.process.exitCode === null) await once(running.process, 'exit')
  }
  const warnings = async (url: string) =>
    ((await (await fetch(`${url}/readyz`)).json()) as { warnings: string[] }).warnings.join()

  const service = await serve()
  let events = 0
  const delivers = async () => {
    publish(radar, place)
    events += 1
    await consumer.eventsOnce('faketime', events)
  }
  try {
    await delivers()
    for (const [offset, said] of [
      ['+400d', /went forward by 400\.0 days/],
      ['+0', /went back by 400\.0 days/],
      ['-1h', /went back by (?:1\.0 h|60\.0 min)/],
    ] as const) {
      setClock(offset)
      await until(`the log has ${said}`, async () => said.test(await warnings(service.url)), SAID_MS_MAX)
      await delivers()
    }
  } finally {
    await end(service)
  }
  const again = await serve()
  try {
    await delivers()
  } finally {
    await end(again)
  }
  assert.equal(consumer.requests('faketime').length, events)
})
