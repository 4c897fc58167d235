import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { test } from 'node:test'
import { startConsumer } from '../support/consumer.ts'
import { publish } from '../support/publish.ts'
import { baseline, subscribe } from '../support/radar.ts'
import { servedUrl } from '../support/radar-command.ts'
import { addApp, startTestService } from '../support/service.ts'
import { startTraced, type Trace, UNTRACEABLE } from '../support/traced.ts'
import { until } from '../support/until.ts'

/** The service and its native dependencies contact only what the settings name, and write only where the documentation says. */

const ROOT = resolve(import.meta.dirname, '../..')
const RADAR = join(ROOT, 'bin/radar')
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache')
const MODEL = join(ROOT, 'packages/language/model/encoder.onnx')

const skip = UNTRACEABLE
const place = { store: 'google', appId: 'com.example.private', market: 'en' } as const
const wants = { store: place.store, app_id: place.appId, event_type: 'review.created' } as const

/** Native dependencies of the service, and how each is used. Those for development do not run beside it. */
const USES: Readonly<Record<string, string>> = {
  'onnxruntime-node': `
    const { InferenceSession, Tensor } = require('onnxruntime-node')
    InferenceSession.create(${JSON.stringify(MODEL)}).then((session) =>
      session.run({ ids: new Tensor('int32', Int32Array.from([0, 2]), [1, 2]) }))`,
}

test('the service contacts only the stores and targets of its settings, and writes only to its data folder', {
  skip,
}, async () => {
  await using consumer = await startConsumer()
  // Creates the stores and the hook. Then the traced process uses the database.
  await using radar = await startTestService({}, { engine: 'sqlite' })
  addApp(radar.world, place)
  const alice = await radar.person('Alice')
  await subscribe(alice, consumer, 'private', wants)
  await baseline(radar, place.appId)
  await radar.service.stop()

  using running = startTraced([RADAR, 'serve'], { ...radar.environment, RADAR_ENRICHMENT: 'offline' })
  await fetch(await servedUrl(running), { headers: { accept: 'text/html' } })
  publish(radar, place)
  const [event] = await consumer.eventsOnce('private', 1)
  assert.ok(event?.event_type === 'review.created' && event.enrichment !== null)
  running.process.kill('SIGTERM')
  assertPrivate(await running.trace(), radar.environment.RADAR_DATA_DIR ?? '')
})

test('the demo contacts only itself, and leaves no files', { skip }, async () => {
  using running = startTraced([RADAR, 'demo', '--port', '0'])
  const url = await until('the demo prints the URL of its console', () => {
    if (running.process.exitCode !== null) throw new Error(`the demo ended: ${running.out()}${running.err()}`)
    return /^Console\s+(http:\/\/\S+)/m.exec(running.out())?.[1]
  })
  await fetch(url, { headers: { accept: 'text/html' } })
  await until('the demo prints an enriched review', () =>
    /· (?:positive|mixed|negative) ·/.test(running.out()),
  )
  running.process.kill('SIGINT')
  assertPrivate(await running.trace(), join(running.folder, 'tmp'))
  const left = readdirSync(running.folder, { recursive: true, withFileTypes: true })
  assert.deepEqual(
    left.filter((entry) => !entry.isDirectory()).map(({ name }) => name),
    [],
  )
})

test('each native dependency of the service contacts nothing and writes nothing', { skip }, async () => {
  assert.deepEqual(nativeDependencies(), Object.keys(USES))
  for (const [name, use] of Object.entries(USES)) {
    // Resolves the dependency from this repository.
    const program = `globalThis.require = require('node:module').createRequire(${JSON.stringify(RADAR)});${use}`
    using running = startTraced(['--eval', program])
    const trace = await running.trace()
    assert.equal(running.process.exitCode, 0, running.err())
    assert.deepEqual({ name, ...trace }, { name, contacts: [], written: [] })
  }
})

function assertPrivate({ contacts, written }: Trace, folder: string): void {
  assert.deepEqual(contacts, [])
  const documented = [folder, COMPILE_CACHE].flatMap((path) => [path, `${path}${sep}`])
  const isDocumented = (path: string) =>
    documented.some((each) => path === each || (each.endsWith(sep) && path.startsWith(each)))
  assert.deepEqual(
    written.filter((path) => !isDocumented(path) && path !== '/dev/null'),
    [],
  )
}

/** Packages with compiled code that `npm ci --omit=dev` installs. */
function nativeDependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { dev?: boolean }>>
  }
  return Object.entries(packages)
    .filter(([path, { dev = false }]) => path !== '' && !dev)
    .filter(([path]) => hasNativeCode(join(ROOT, path)))
    .map(([path]) => path.slice('node_modules/'.length))
}

function hasNativeCode(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
      (path) => /\.(?:node|wasm)$/.test(path) && !path.includes(`node_modules${sep}`),
    )
  } catch {
    // An optional dependency for another platform.
    return false
  }
}
