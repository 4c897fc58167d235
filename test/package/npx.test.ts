import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { npmPackages } from '../clients/tools.ts'
import { collected } from '../support/collected.ts'
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

/** Node 20 and 22 come with the first, Node 24 with the second. */
const NPM_VERSIONS = ['10.9.4', '11.19.1', '12.2.2']

for (const version of NPM_VERSIONS)
  test(`npx of npm ${version} runs the demo with its console from an empty folder, with a home that cannot be written`, async () => {
    const tools = await npmPackages(`npm-${version}`, { npm: version })
    const empty = mkdtempSync(join(folder, 'empty-'))
    const environment = Object.entries(process.env).filter(([name]) => !/^(RADAR_|npm_)/i.test(name))
    const options = [
      '--yes',
      '--ignore-scripts',
      '--legacy-peer-deps',
      '--package',
      join(folder, packed.filename),
    ]
    const demo = spawn(
      process.execPath,
      [join(tools, 'node_modules/npm/bin/npx-cli.js'), ...options, 'radar', 'demo', '--port', '0'],
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
          HOME: '/nowhere',
          // Each version installs anew.
          npm_config_cache: mkdtempSync(join(folder, 'cache-')),
        },
      },
    )
    const closed = once(demo, 'close')
    const hasEnded = () => demo.exitCode !== null || demo.signalCode !== null
    const out = collected(demo.stdout)
    const err = collected(demo.stderr)
    try {
      const url = await until(
        'the demo prints the URL of its console',
        () => {
          if (hasEnded()) throw new Error(`the demo ended: ${out()}${err()}`)
          return /Console\s+(http:\/\/[^\s/]+)/.exec(out())?.[1]
        },
        START_MS_MAX,
      )
      const page = await fetch(url, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 200)
      assert.match(await page.text(), /<div id="root">|<script type="module"/)
      await until('the service is ready', async () => (await fetch(`${url}/readyz`)).ok)
    } finally {
      if (!hasEnded() && demo.pid !== undefined) process.kill(-demo.pid, 'SIGINT')
      await closed
    }
  })
