import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../support/until.ts'

/**
 * Tests the npm package as users get it: packed, installed by npx in an empty folder, run with the machine's Node. The
 * installation takes minutes and needs the package registry, so only `npm run test:package` runs this test.
 */
const ROOT = resolve(import.meta.dirname, '../..')
const START_MS_MAX = 600_000
/** The language model has about 40 MB, the rest about 2 MB. */
const PACKAGE_BYTES_MAX = 45 * 1024 * 1024

type Packed = {
  readonly filename: string
  readonly size: number
  readonly files: readonly { path: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'radar-package-'))
let packed: Packed
before(() => {
  const output = execFileSync('npm', ['run', 'pack', '--', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // The output of the console build comes first.
  packed = JSON.parse(output.slice(output.indexOf('[\n')))[0]
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('the package contains the program, without tests and training data', () => {
  const paths = packed.files.map(({ path }) => path)
  for (const path of ['bin/radar', 'console/dist/index.html', 'packages/language/model/encoder.onnx']) {
    assert.ok(paths.includes(path), path)
  }
  const others = paths.filter((path) => /\.test\.ts$|^test\/|\.jsonl$|^console\/(?!dist\/)/.test(path))
  assert.deepEqual(others, [])
  assert.ok(packed.size <= PACKAGE_BYTES_MAX, `${packed.size} bytes`)
})

test('npx runs the demo with its console from an empty folder', async () => {
  const empty = mkdtempSync(join(folder, 'empty-'))
  const environment = Object.entries(process.env).filter(([name]) => !/^(RADAR_|npm_)/i.test(name))
  const demo = spawn(
    'npx',
    ['--yes', '--package', join(folder, packed.filename), 'radar', 'demo', '--port', '0'],
    {
      cwd: empty,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(environment),
        // Without the Node 24 of this repository, as on a machine with an older Node.
        PATH: (process.env.PATH ?? '')
          .split(delimiter)
          .filter((each) => !each.startsWith(ROOT))
          .join(delimiter),
        // Otherwise onnxruntime downloads GPU libraries.
        npm_config_ignore_scripts: 'true',
        // Otherwise npm 10 fails at a circle of optional peers of better-auth: it looks at all that it does not install.
        npm_config_legacy_peer_deps: 'true',
      },
    },
  )
  let out = ''
  let err = ''
  demo.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  try {
    const url = await until(
      'the demo prints the URL of its console',
      () => {
        if (demo.exitCode !== null) throw new Error(`the demo ended: ${out}${err}`)
        return /Console\s+(http:\/\/[^\s/]+)/.exec(out)?.[1]
      },
      START_MS_MAX,
    )
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    assert.equal(page.status, 200)
    assert.match(await page.text(), /<div id="root">|<script type="module"/)
    await until('the service is ready', async () => (await fetch(`${url}/readyz`)).ok)
  } finally {
    if (demo.exitCode === null && demo.pid !== undefined) {
      process.kill(-demo.pid, 'SIGINT')
      await once(demo, 'close')
    }
  }
})
