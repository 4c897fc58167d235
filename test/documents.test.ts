import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { VERIFY_SNIPPETS } from '../console/components/verify-snippets.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { newSecret } from '../src/pipeline/send/signature.ts'
import { METRICS } from '../src/runtime/meter.ts'
import NODE_OPTIONS from '../src/runtime/node-options.json' with { type: 'json' }
import { LISTEN_SETTINGS, SETTINGS } from '../src/service/config/settings.ts'
import { signatureOf } from './support/receiver.ts'
import { readSourceTree } from './support/source-tree.ts'

/** What the pages say is what the code does. */

const ROOT = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const operating = textOf('docs/operating.md')
const code = readSourceTree(['src']).filter(
  ({ path }) =>
    !path.endsWith('.test.ts') && !path.startsWith('src/simulate/') && !path.includes('/conformance/'),
)

/** The texts in backquotes, and the names in those: `radar_feeds{store}` names `radar_feeds`. */
const named = new Set([...operating.matchAll(/`([a-z_.]+)[`{]/g)].map(([, name]) => name))

test('every event that is logged is explained, and none that is not', () => {
  const logged = new Set(
    code.flatMap(({ text }) =>
      [...text.matchAll(/\blog\.(?:debug|info|warn|error)\(\s*'([a-z_]+\.[a-z_]+)'/g)].map(
        ([, event = '']) => event,
      ),
    ),
  )
  assert.ok(logged.size > 20, `${logged.size} events were found`)
  const table = operating.slice(operating.indexOf('## The log'))
  const explained = [...table.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, event = '']) => event)
  assert.deepEqual([...new Set(explained)].sort(), [...logged].sort())
})

test('every metric is listed, and none that is not', () => {
  const gauges = textOf('src/service/metrics.ts')
  const names = [
    ...Object.keys(METRICS),
    ...[...gauges.matchAll(/(?:one\(\s*|name: )'([a-z_]+)'/g)].map(([, name = '']) => name),
  ].map((name) => `radar_${name}`)
  assert.ok(names.length > 20)
  const listed = [...named].filter((name) => name?.startsWith('radar_'))
  assert.deepEqual(listed.sort(), [...new Set(names)].sort())
})

test('the pages lead nowhere that does not exist', () => {
  const links = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => join(dirname(page), link)),
  )
  assert.ok(links.length > 5)
  assert.deepEqual(
    links.filter((link) => !existsSync(join(ROOT, link))),
    [],
  )
})

test('every setting, command and npm script that a page names is there', () => {
  const texts = PAGES.map(textOf).join('\n')
  const settings = new Set([...Object.keys({ ...SETTINGS, ...LISTEN_SETTINGS }), 'RADAR_CONFIG'])
  const names = [...texts.matchAll(/\bRADAR_[A-Z_]+\b/g)].map(([name]) => name)
  assert.deepEqual(
    names.filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, ''))),
    [],
  )
  const commands = new Set(Object.keys(COMMANDS))
  const said = [...texts.matchAll(/(?:`|^|bin\/)radar ([a-z]+)(?: ([a-z]+))?/gm)]
  assert.ok(said.length > 10)
  assert.deepEqual(
    said.filter(([, one, two]) => !commands.has(`${one}`) && !commands.has(`${one} ${two}`)),
    [],
  )
  const { scripts } = JSON.parse(textOf('package.json'))
  const run = [...texts.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name)
  assert.deepEqual(
    run.filter((name) => !(name in scripts)),
    [],
  )
})

test('the README and the console show the same ways to verify a signature', () => {
  const withoutGaps = (text: string) => text.replaceAll(/\n+/g, '\n')
  const readme = withoutGaps(textOf('README.md'))
  for (const { language, code: snippet } of VERIFY_SNIPPETS)
    assert.ok(readme.includes(withoutGaps(snippet)), language)
})

test('what is shown for Node takes a signature of ours, and neither another nor none', async () => {
  const [{ code: snippet }] = VERIFY_SNIPPETS
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(snippet)}`)
  const body = Buffer.from('{"title":"Größe 🎈"}')
  const secret = newSecret()
  const signature = signatureOf(body, secret)
  assert.equal(verify(body, signature, secret), true)
  assert.equal(verify(Buffer.from(`${body} `), signature, secret), false)
  assert.equal(verify(body, undefined, secret), false)
})

test('the scripts that start the service give Node the options that bin/radar gives it', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  for (const name of ['start', 'demo'])
    assert.ok(scripts[name]?.startsWith(`node ${NODE_OPTIONS.join(' ')} bin/radar`), scripts[name])
})
