import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { SETTINGS } from '../src/service/config/settings.ts'
import { documentedMetrics } from './support/documented-metrics.ts'
import { readSourceTree } from './support/source-tree.ts'

/** The files of `deploy` and the Dockerfile match the code. Nothing here runs a container. */

const ROOT = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

type Panel = {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

/** Each metric of the reference with its labels; a histogram by its parts. */
function knownMetrics(): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>()
  for (const [name, { labels, kind }] of documentedMetrics()) {
    const own = new Set([...labels, 'instance', 'job'])
    const names = kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
    for (const each of names) known.set(each, kind === 'histogram' ? new Set([...own, 'le']) : own)
  }
  return known
}

test('every query of the Grafana dashboard uses metrics and labels that exist', () => {
  const { panels, uid } = JSON.parse(textOf('deploy/grafana-dashboard.json')) as {
    panels: Panel[]
    uid: string
  }
  assert.equal(uid, 'review-radar')
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const known = knownMetrics()
  assert.ok(known.size > 30)
  const targets = panels.flatMap(({ title, targets = [] }) => targets.map((each) => ({ title, ...each })))
  assert.ok(targets.length > 20)
  for (const { title, expr, legendFormat } of targets) {
    const names = [...expr.matchAll(/radar_\w+/g)].map(([name]) => name)
    assert.ok(names.length > 0, title)
    const labels = new Set(names.flatMap((name) => [...(known.get(name) ?? [])]))
    for (const name of names) assert.ok(known.has(name), `${title}: ${name}`)
    const used = [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
      ...[...expr.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
    ]
    for (const label of used) assert.ok(labels.has(label), `${title}: label ${label}`)
  }
})

test('the image has every file that the service imports', () => {
  const [, , stage = ''] = textOf('Dockerfile').split(/^FROM /m)
  const copied = [...stage.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path = '']) => path)
  const isCopied = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`))
  assert.deepEqual(
    ['bin', 'src', 'console/dist', 'node_modules', 'package.json'].filter((path) => !isCopied(path)),
    [],
  )
  const foreign = readSourceTree(['src', 'packages/language/src'])
    .filter(({ path }) => !path.endsWith('.test.ts') && !path.includes('/conformance/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) =>
        relative(ROOT, join(ROOT, dirname(path), target)),
      ),
    )
  assert.ok(foreign.length > 1_000)
  assert.deepEqual(
    foreign.filter((path) => !isCopied(path)),
    [],
  )
})

test('npm installs no package without a checksum, and runs no script of a package', () => {
  const { packages } = JSON.parse(textOf('package-lock.json')) as {
    packages: Readonly<Record<string, { integrity?: string }>>
  }
  const unchecked = Object.entries(packages).filter(([, { integrity }]) => integrity === undefined)
  assert.deepEqual(
    unchecked.map(([path]) => path),
    [''],
  )
  assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m)
})

test('the image leaves out tests', () => {
  const ignored = textOf('.dockerignore').split('\n')
  for (const pattern of ['test', '**/*.test.ts', 'src/storage/conformance'])
    assert.ok(ignored.includes(pattern))
})

test('compose and the Kubernetes manifests are valid YAML with settings that exist', () => {
  const names = new Set(Object.keys(SETTINGS).flatMap((name) => [name, `${name}_FILE`]))
  for (const file of ['deploy/compose.yaml', 'deploy/kubernetes.yaml']) {
    const text = textOf(file)
    for (const document of parseAllDocuments(text, { merge: true })) assert.deepEqual(document.errors, [])
    const used = [...text.matchAll(/\bRADAR_[A-Z_]+/g)].map(([name]) => name)
    assert.deepEqual(
      used.filter((name) => !names.has(name)),
      [],
      file,
    )
  }
  const { services } = parseYaml(textOf('deploy/compose.yaml'), { merge: true })
  assert.deepEqual(Object.keys(services), ['postgres', 'node-1', 'node-2'])
  assert.deepEqual(services['node-2'].environment, services['node-1'].environment)
  assert.ok(existsSync(join(ROOT, 'deploy', services['node-1'].build, 'Dockerfile')))
})

test('the health check of the image asks the port of the service, also beside a Kubernetes service named radar', () => {
  const [, words = ''] =
    /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(textOf('Dockerfile').replace(/\\\n/g, '')) ?? []
  const [, option, script] = JSON.parse(words)
  const urlWith = (port: string | undefined) =>
    execFileSync(
      process.execPath,
      [option, `fetch = async (url) => (console.log(url), { ok: true }); ${script}`],
      {
        env: { ...(port !== undefined && { RADAR_PORT: port }) },
        encoding: 'utf8',
      },
    ).trim()
  assert.equal(urlWith(undefined), 'http://127.0.0.1:8080/healthz')
  assert.equal(urlWith('9000'), 'http://127.0.0.1:9000/healthz')
  assert.equal(urlWith('tcp://10.0.0.1:80'), 'http://127.0.0.1:8080/healthz')
  const [deployment] = parseAllDocuments(textOf('deploy/kubernetes.yaml'))
  assert.equal(deployment?.getIn(['spec', 'template', 'spec', 'enableServiceLinks']), false)
})

test('the systemd unit is the one of the documentation', () => {
  const [, unit] = /```ini\n([\s\S]*?)```/.exec(textOf('docs/how-to/run-as-a-service.md')) ?? []
  assert.equal(unit, textOf('deploy/review-radar.service'))
})
