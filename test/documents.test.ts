import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { METRICS } from '../src/runtime/meter.ts'
import { readSourceTree } from './support/source-tree.ts'

/** What docs/operating.md lists is what the code does. */

const ROOT = join(import.meta.dirname, '..')
const operating = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
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

test('every metric is listed', () => {
  const gauges = readFileSync(join(ROOT, 'src/service/metrics.ts'), 'utf8')
  const names = [
    ...Object.keys(METRICS),
    ...[...gauges.matchAll(/(?:one\(\s*|name: )'([a-z_]+)'/g)].map(([, name = '']) => name),
  ]
  assert.ok(names.length > 20)
  assert.deepEqual(
    names.filter((name) => !named.has(`radar_${name}`)),
    [],
  )
})

test('the pages lead nowhere that does not exist', () => {
  for (const page of ['operating.md', 'scaling.md']) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link)
    assert.deepEqual(
      links.filter((link) => !existsSync(join(ROOT, 'docs', link))),
      [],
    )
  }
})
