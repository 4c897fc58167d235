import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { GENERATED_CODE } from '../scripts/generate/files.ts'
import { textsIn, unusedTexts } from './support/console-texts.ts'
import { unusedExports } from './support/product-exports.ts'
import { readSourceTree, type SourceFile } from './support/source-tree.ts'
import { predicateTitles } from './support/test-titles.ts'

/**
 * The allowed imports. The first row with the folder of a file applies; a folder may always import itself. Data flows
 * one way, so stages never import each other; only `flow.ts` knows more than one. Only `service` and `storage` see an
 * engine, and the tables, which both engines share, see none. Tests may import anything.
 */
const RULES: readonly (readonly [folder: string, may: readonly string[]])[] = [
  ['src/model', []],
  ['src/runtime', []],
  ['src/contract', ['src/model']],
  ['src/storage/port', ['src/model', 'src/runtime/instant.ts']],
  [
    'src/storage/tables',
    [
      'src/model',
      'src/storage/columns.ts',
      'src/storage/port',
      'src/storage/values.ts',
      'src/storage/work.ts',
    ],
  ],
  ['src/storage', ['src/model', 'src/runtime']],
  ['src/pipeline/alert', ['src/model', 'src/runtime', 'src/storage/port']],
  ['src/pipeline/appstores', ['src/model', 'src/runtime']],
  [
    'src/pipeline/collect',
    [
      'src/model',
      'src/runtime',
      'src/storage/port',
      'src/pipeline/appstores/appstore.ts',
      'src/pipeline/appstores/official.ts',
    ],
  ],
  ['src/pipeline/detect', ['src/model', 'src/storage/port']],
  ['packages/language', ['src/model']],
  ['packages/client', []],
  ['packages/receiver', []],
  [
    'src/pipeline/enrich',
    [
      'src/model',
      'src/runtime',
      'src/storage/port',
      'packages/language/src/language/detect.ts',
      'packages/language/src/features/slugs.ts',
    ],
  ],
  ['src/pipeline/fanout', ['src/model', 'src/runtime', 'src/contract', 'src/storage/port']],
  [
    'src/pipeline/reply',
    ['src/model', 'src/runtime', 'src/storage/port', 'src/pipeline/appstores/official.ts'],
  ],
  ['src/pipeline/send', ['src/model', 'src/runtime', 'src/storage/port', 'src/pipeline/targets']],
  ['src/pipeline/targets', ['src/contract', 'src/model']],
  ['src/pipeline', ['src/model', 'src/runtime', 'src/storage/port']],
  [
    'src/operations/diagnosis',
    [
      'src/contract',
      'src/model',
      'src/node',
      'src/pipeline/appstores/appstore.ts',
      'src/pipeline/collect/pace.ts',
      'src/runtime',
      'src/storage/port',
    ],
  ],
  [
    'src/operations',
    [
      'src/contract',
      'src/model',
      'src/runtime',
      'src/storage/port',
      'src/pipeline/appstores/appstore.ts',
      'src/pipeline/appstores/official.ts',
      'src/pipeline/fanout/match.ts',
      'src/pipeline/fanout/payload.ts',
      'src/pipeline/targets',
    ],
  ],
  ['src/client', ['src/contract']],
  ['src/mcp', ['src/contract', 'src/model']],
  ['src/api', ['src/mcp', 'src/operations', 'src/contract', 'src/model', 'src/runtime']],
  ['src/simulate', ['src/model', 'src/runtime']],
  ['src/node', ['src/contract', 'src/model', 'src/runtime', 'src/storage/port']],
  [
    'src/service',
    [
      'packages/language/src/identity.ts',
      'src/api',
      'src/node',
      'src/operations',
      'src/pipeline',
      'src/storage',
      'src/runtime',
      'src/model',
    ],
  ],
  [
    'src/cli',
    [
      'src/client',
      'src/contract',
      'src/mcp',
      'src/node',
      'src/operations',
      'src/service',
      'src/runtime',
      'src/model',
      'src/simulate',
    ],
  ],
  [
    'console',
    [
      'src/contract',
      'src/model/audit.ts',
      'src/model/base-path.ts',
      'src/model/days.ts',
      'src/model/hook-limits.ts',
      'src/model/inbox.ts',
      'src/model/input-limits.ts',
      'src/model/redirects.ts',
      'src/model/reply-template.ts',
      'src/model/reply.ts',
      'src/model/review-language.ts',
      'src/model/store-page.ts',
      'src/model/target.ts',
      'src/model/triage.ts',
      'src/model/vocabulary.ts',
      'src/model/watch-filter.ts',
    ],
  ],
]

const LINES_MAX = 400
const LINES_MEDIAN_MAX = 100
const COMMENT = /^\s*(?:\*|\/\*|\/\/)/

/** Packages for programs of others: with nothing of Node, of the service or of npm, so that they run anywhere. */
const LIBRARIES = ['packages/client/src', 'packages/receiver/src']

const sources = readSourceTree(['src', 'packages/language/src', ...LIBRARIES, 'console'])
const code = sources.filter((file) => !isTest(file.path))
/** Folders that build the product, including its model. */
const builders = readSourceTree(['scripts', 'packages/language/train', 'packages/language/eval'])
const tools = [...readSourceTree(['test', 'bench']), ...builders]

test('every import follows the flow: stores, detection, occurrences, fan-out, delivery', () => {
  const broken = code.flatMap((file) =>
    file.imports
      .filter((target) => !mayImport(file.path, target))
      .map((target) => `${file.path} imports ${target}`),
  )
  assert.deepEqual(broken, [])
})

test('every folder of a rule, and every path it allows, exists and is needed', () => {
  const paths = RULES.flatMap(([folder, may]) => [folder, ...may])
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(import.meta.dirname, '..', path))),
    [],
  )
  const unneeded = RULES.flatMap(([folder, may]) => {
    const targets = code.filter(({ path }) => ruleOf(path)?.[0] === folder).flatMap((file) => file.imports)
    return may
      .filter((allowed) => !targets.some((target) => within(target, allowed)))
      .map((allowed) => `${folder} may import ${allowed}`)
  })
  assert.deepEqual(unneeded, [])
})

/** Exports that something other than the product's TypeScript uses. */
const ENTRIES = ['src/cli/main.ts runCommand', ...LIBRARIES.flatMap(entriesOf)]

test('no product export is used only by tests', () => {
  const unused = unusedExports(code, [...code, ...builders])
  assert.deepEqual(
    unused.filter((name) => !ENTRIES.some((entry) => name === entry || name.startsWith(`${entry} `))),
    [],
  )
})

test('a library imports only its own files', () => {
  const files = code.filter(({ path }) => LIBRARIES.some((folder) => within(path, folder)))
  assert.ok(files.length > 10)
  assert.deepEqual(
    files.filter(({ packages }) => packages.length > 0).map(({ path }) => path),
    [],
  )
})

test('the service loads nothing of grouping, which has files of its own', () => {
  const grouping = 'packages/language/src/grouping'
  const users = code.filter(
    ({ path, imports }) => imports.some((target) => within(target, grouping)) && !within(path, grouping),
  )
  assert.deepEqual(
    users.map(({ path }) => path),
    [],
  )
})

test('the engines have the same files of feeds, queue and reports, and each says how it differs', () => {
  const [sqlite, postgres] = ['sqlite', 'postgres'].map((engine) => {
    const files = code.filter(({ path }) =>
      new RegExp(`^src/storage/${engine}/(?:feeds|queue|reports)/`).test(path),
    )
    return new Map(files.map((file) => [file.path.replace(`/${engine}/`, '/'), file]))
  })
  assert.ok((sqlite?.size ?? 0) > 5)
  assert.deepEqual([...(sqlite?.keys() ?? [])], [...(postgres?.keys() ?? [])])
  const silent = [...(sqlite ?? []), ...(postgres ?? [])].filter(
    ([, { text }]) => !/^(?:\/\/| ?\/?\*).*\bDiffers from (?:sqlite|postgres): /m.test(text),
  )
  assert.deepEqual(
    silent.map(([, { path }]) => path),
    [],
  )
})

test('no two files import each other, directly or through others', () => {
  assert.deepEqual(findCycle(code), [])
})

test('no two folders of the console or of the operations import each other, directly or through others', () => {
  for (const root of ['console', 'src/operations']) assert.deepEqual(findCycle(foldersOf(root)), [])
})

test('no written file is longer than 400 lines, and half of those of the product are shorter than 100', () => {
  const tooLong = [...sources, ...tools]
    .filter((file) => file.lines > LINES_MAX && !GENERATED_CODE.includes(file.path))
    .map((file) => `${file.path} (${file.lines})`)
  assert.deepEqual(tooLong, [])
  const lengths = code.map((file) => file.lines).sort((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  assert.ok(median <= LINES_MEDIAN_MAX, `the median file has ${median} lines`)
})

test('no line of a comment is longer than 140 characters', () => {
  const tooLong = [...sources, ...tools].flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (COMMENT.test(line) && line.length > 140 ? `${path}:${at + 1}` : [])),
  )
  assert.deepEqual(
    tooLong.filter((place) => !GENERATED_CODE.some((path) => place.startsWith(path))),
    [],
  )
})

test('the environment is read in one file', () => {
  assert.deepEqual(holding(/process\.env\b/, ['src/service/config/env.ts']), [])
})

test('the clock is read in one file', () => {
  assert.deepEqual(holding(/\bDate\.now\(\)|new Date\(\)/, ['src/runtime/clock.ts'], /^src\//), [])
})

test('requests go out only through the egress and the client', () => {
  const allowed = ['src/runtime/egress/', 'src/client/']
  assert.deepEqual(holding(/[^.\w]fetch\(|from 'undici'/, allowed, /^src\//), [])
})

test('only commands end the process', () => {
  assert.deepEqual(holding(/process\.exit\(/, [], /^src\//), [])
})

/** Shell commands and code, which are not translated, the names of fonts, and units. */
const CODE_OF_THE_CONSOLE = [
  'console/components/verify-snippets.ts',
  'console/ui/theme.ts',
  'console/util/curl.ts',
  'console/util/time.ts',
  'console/vite.config.ts',
]

test('the texts of the console are in console/messages', () => {
  const components = code.filter(
    ({ path }) =>
      within(path, 'console') &&
      !['console/messages', ...CODE_OF_THE_CONSOLE].some((each) => within(path, each)),
  )
  assert.ok(components.length > 150)
  assert.deepEqual(components.flatMap(textsIn), [])
})

test('every text of the console is used', () => {
  const [messages, users] = [true, false].map((isMessage) =>
    code.filter(({ path }) => within(path, 'console') && within(path, 'console/messages') === isMessage),
  )
  assert.deepEqual(unusedTexts(messages ?? [], users ?? []), [])
})

test('a test title is a sentence with its own subject', () => {
  assert.deepEqual(predicateTitles([...sources, ...tools, ...readSourceTree(['integrations'])]), [])
})

test('every folder of the tree has a rule', () => {
  const ruleless = code.filter((file) => ruleOf(file.path) === undefined)
  assert.deepEqual(
    ruleless.map((file) => file.path),
    [],
  )
})

/** The files that a library's package.json exports. */
function entriesOf(folder: string): string[] {
  const manifest = readFileSync(join(import.meta.dirname, '..', folder, '../package.json'), 'utf8')
  const entries = Object.values<{ default: string }>(JSON.parse(manifest).exports)
  return entries.map((entry) => join(folder, entry.default.replace('./dist/', '').replace('.js', '.ts')))
}

function isTest(path: string): boolean {
  return (
    /\.test\.tsx?$/.test(path) ||
    path.startsWith('src/storage/conformance/') ||
    path.startsWith('console/e2e/')
  )
}

function within(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function mayImport(from: string, target: string): boolean {
  if (from === 'src/pipeline/flow.ts')
    return within(target, 'src/pipeline') || mayImport('src/pipeline/x.ts', target)
  const rule = ruleOf(from)
  if (rule === undefined) return false
  const [folder, may] = rule
  return within(target, folder) || may.some((allowed) => within(target, allowed))
}

function ruleOf(path: string) {
  return RULES.find(([folder]) => within(path, folder))
}

function holding(pattern: RegExp, allowed: readonly string[], folders = /./): string[] {
  return code
    .filter((file) => folders.test(file.path) && !allowed.some((start) => file.path.startsWith(start)))
    .filter((file) => pattern.test(file.text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
    .map((file) => file.path)
}

/** The folders of `root` as files that import each other, and the files beside them, such as those that compose all folders. */
function foldersOf(root: string): Imports[] {
  const folderOf = (path: string) =>
    path
      .split('/')
      .slice(0, root.split('/').length + 1)
      .join('/')
  const files = code.filter(({ path }) => within(path, root))
  const folders = Map.groupBy(files, ({ path }) => folderOf(path))
  return Array.from(folders, ([path, inside]) => ({
    path,
    imports: inside
      .flatMap(({ imports }) => imports.map(folderOf))
      .filter((target) => target !== path && folders.has(target)),
  }))
}

type Imports = Pick<SourceFile, 'path' | 'imports'>

/** The files of one import cycle, in order; empty when there is none. */
function findCycle(files: readonly Imports[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (path: string): string[] => {
    const at = trail.indexOf(path)
    if (at >= 0) return [...trail.slice(at), path]
    if (finished.has(path)) return []
    trail.push(path)
    for (const target of byPath.get(path)?.imports ?? []) {
      const cycle = visit(target)
      if (cycle.length > 0) return cycle
    }
    trail.pop()
    finished.add(path)
    return []
  }
  for (const file of files) {
    const cycle = visit(file.path)
    if (cycle.length > 0) return cycle
  }
  return []
}
