import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/** `npm run release`, on a temporary copy of the files that it writes. */

const ROOT = join(import.meta.dirname, '..')
const SCRIPT = join(ROOT, 'scripts/release.ts')
const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md']

test('a release stamps version and date, and prints the git commands without committing', () => {
  using copy = checkout()
  const next = copy.nextVersion
  const { status, stdout } = copy.release(next)
  assert.equal(status, 0)
  assert.equal(JSON.parse(copy.read('package.json')).version, next)
  const lock = JSON.parse(copy.read('package-lock.json'))
  assert.deepEqual([lock.version, lock.packages[''].version], [next, next])
  const today = new Date().toISOString().slice(0, 10)
  assert.match(
    copy.read('CHANGELOG.md'),
    new RegExp(`## Unreleased\n\n## ${next} - ${today}\n\n### Added\n- One thing\\.`),
  )
  for (const line of ['npm test', `git tag -a v${next}`, 'git commit -m'])
    assert.ok(stdout.includes(line), line)
  assert.equal(copy.git('log', '--oneline').trim().split('\n').length, 1)
  const changed = copy.git('diff', '--stat').trim().split('\n')
  assert.match(changed.at(-1) ?? '', /3 files changed, 5 insertions\(\+\), 3 deletions/)
})

test('a release lists every npm package with its checksum', () => {
  using copy = checkout()
  const next = copy.nextVersion
  assert.equal(copy.release(next).status, 0)
  const { bomFormat, metadata, components } = JSON.parse(copy.read(`review-radar-${next}.cdx.json`))
  assert.deepEqual(
    [bomFormat, metadata.component.name, metadata.component.version],
    ['CycloneDX', 'review-radar', next],
  )
  const listed = (components as { name: string; version: string; hashes: unknown[] }[]).map(
    ({ name, version, hashes }) => `${name}@${version} ${hashes.length}`,
  )
  const locked = JSON.parse(copy.read('package-lock.json')).packages as Record<string, { version: string }>
  const installed = Object.entries(locked).flatMap(([path, { version }]) =>
    path === '' ? [] : `${path.split('node_modules/').at(-1)}@${version} 1`,
  )
  assert.ok(installed.length > 300)
  assert.deepEqual(listed.toSorted(), [...new Set(installed)].toSorted())
})

test('a dry run changes nothing', () => {
  using copy = checkout()
  const { status, stdout } = copy.release(copy.nextVersion, '--dry-run')
  assert.equal(status, 0)
  assert.match(stdout, /^Would stamp /)
  assert.equal(copy.git('status', '--porcelain'), '')
})

test('link references move on to the new version', () => {
  using copy = checkout()
  const base = 'https://example.com/radar'
  copy.change('CHANGELOG.md', (text) => `${text}\n[Unreleased]: ${base}/compare/v0.0.1...HEAD\n`)
  assert.equal(copy.release(copy.nextVersion).status, 0)
  const links = copy.read('CHANGELOG.md').split('\n').slice(-3, -1)
  assert.deepEqual(links, [
    `[Unreleased]: ${base}/compare/v${copy.nextVersion}...HEAD`,
    `[${copy.nextVersion}]: ${base}/compare/v0.0.1...v${copy.nextVersion}`,
  ])
})

test('every problem is listed at once, and nothing is written', () => {
  using copy = checkout()
  copy.change('CHANGELOG.md', (text) => text.replace('### Added\n- One thing.\n', ''))
  copy.change('package-lock.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "0.0.1"'))
  writeFileSync(join(copy.folder, 'left.txt'), '')
  const { status, stderr } = copy.release(copy.version)
  assert.equal(status, 1)
  for (const problem of [
    'needs a greater one',
    'package-lock.json does not have version',
    'no entry under "## Unreleased"',
    'not clean; commit or remove: ?? left.txt',
  ])
    assert.ok(stderr.includes(problem), `${problem} in ${stderr}`)
  assert.equal(copy.git('diff'), '')
})

test('a release needs a higher version, compared part by part', () => {
  using copy = checkout()
  const [major = 0, minor = 0] = copy.version.split('.').map(Number)
  for (const lower of [`${major}.${minor - 1}.99`, copy.version])
    assert.equal(copy.release(lower).status, 1, lower)
  assert.equal(copy.release(`${major}.${minor + 10}.0`).status, 0)
})

test('any arguments except one version are wrong usage', () => {
  using copy = checkout()
  for (const words of [[], ['1.2'], ['v1.2.3'], ['1.2.3', '1.2.4'], ['1.2.3', '--force'], ['01.2.3']])
    assert.equal(copy.release(...words).status, 2, words.join(' '))
})

test('the newest release of the changelog is the version of the package', () => {
  const [newest] = releases()
  assert.equal(newest?.version, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
})

test('the releases of the changelog descend in version and date', () => {
  const all = releases()
  assert.ok(all.length > 1)
  const ordered = all.toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))
  assert.deepEqual(all, ordered)
  assert.deepEqual(
    all.map(({ date }) => date),
    all.map(({ date }) => date).toSorted((a, b) => b.localeCompare(a)),
  )
})

test('the changelog has no duplicate lines', () => {
  const entries = [...readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^- (.+)$/gm)]
  const beginnings = entries.map(([, text = '']) => text.split(' ').slice(0, 8).join(' '))
  assert.deepEqual(
    beginnings.filter((one, at) => beginnings.indexOf(one) !== at),
    [],
  )
})

function releases() {
  const headings = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(
    /^## (\d\S*) - (\d{4}-\d\d-\d\d)$/gm,
  )
  return [...headings].map(([, version = '', date = '']) => ({ version, date }))
}

/** A repository with the real files and one entry under Unreleased, all committed. */
function checkout() {
  const folder = mkdtempSync(join(tmpdir(), 'radar-release-'))
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const write = (name: string, to: (text: string) => string) =>
    writeFileSync(join(folder, name), to(read(name)))
  for (const name of FILES) cpSync(join(ROOT, name), join(folder, name))
  write('CHANGELOG.md', (text) =>
    text.replace(/^## Unreleased\n[\s\S]*?(?=^## )/m, '## Unreleased\n\n### Added\n- One thing.\n\n'),
  )
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'start')
  const version: string = JSON.parse(read('package.json')).version
  const [major, minor] = version.split('.').map(Number)
  return {
    folder,
    git,
    read,
    version,
    nextVersion: `${major}.${(minor ?? 0) + 1}.0`,
    change(name: string, to: (text: string) => string) {
      write(name, to)
      git('commit', '-qam', 'change')
    },
    release: (...words: string[]) =>
      spawnSync(process.execPath, [SCRIPT, ...words], { cwd: folder, encoding: 'utf8' }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
