import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { VERIFY_SNIPPETS } from '../console/components/verify-snippets.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { HTTP_PRESETS } from '../src/contract/http-presets.ts'
import { METRICS } from '../src/model/metrics.ts'
import { newSecret, signatureHeaders } from '../src/model/signature.ts'
import { systemClock } from '../src/runtime/clock.ts'
import { later } from '../src/runtime/instant.ts'
import NODE_OPTIONS from '../src/runtime/node-options.json' with { type: 'json' }
import { LISTEN_SETTINGS } from '../src/service/config/listen-settings.ts'
import { SETTINGS } from '../src/service/config/settings.ts'
import { documentedMetrics } from './support/documented-metrics.ts'
import { readSourceTree } from './support/source-tree.ts'

/** The documentation matches the code. */

const ROOT = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCS = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...DOCS]
const OTHER_PAGES = globSync(['CHANGELOG.md', '{examples,integrations,packages,test}/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules'],
})
/** Folders of code that cite only the documentation of this repository. */
const CITING_FOLDERS: readonly string[] = ['src', 'test', 'packages', 'console', 'bench', 'scripts']
const VERIFY_PAGE = 'docs/how-to/verify-a-signature.md'
const code = readSourceTree(['src']).filter(
  ({ path }) =>
    !path.endsWith('.test.ts') && !path.startsWith('src/simulate/') && !path.includes('/conformance/'),
)

test('the page of log events lists exactly those of the code', () => {
  const logged = new Set(
    code.flatMap(({ text }) =>
      [...text.matchAll(/\blog\.(?:debug|info|warn|error)\(\s*'([a-z_]+\.[a-z_]+)'/g)].map(
        ([, event = '']) => event,
      ),
    ),
  )
  assert.ok(logged.size > 20, `${logged.size} events were found`)
  const rows = textOf('docs/reference/logs.md').matchAll(/^\| (`[^|]+) \|/gm)
  const explained = [...rows].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, event = '']) => event),
  )
  assert.deepEqual(explained.sort(), [...logged].sort())
})

test('the page of metrics lists exactly those of the code, with kind and labels', () => {
  const declared = Object.entries(METRICS).map(([name, { kind, labels }]) => [
    `radar_${name}`,
    kind,
    ...Object.keys(labels[0]),
  ])
  const listed = Array.from(documentedMetrics(), ([name, { kind, labels }]) => [name, kind, ...labels])
  assert.deepEqual(listed.toSorted(), declared.toSorted())
})

test('every metric in the documentation exists', () => {
  const parts = /_(?:bucket|sum|count)$/
  const listed = documentedMetrics()
  const used = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\bradar_[a-z_]+/g)].map(([name]) => ({ page, name })),
  )
  assert.ok(used.length > 50)
  assert.deepEqual(
    used.filter(({ name }) => !listed.has(name) && !listed.has(name.replace(parts, ''))),
    [],
  )
})

test('every link leads to a file, and to a heading where it names one', () => {
  const links = [...PAGES, ...OTHER_PAGES].flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([link, path = '', anchor]) => ({
        link: `${page}: ${link}`,
        path: path === '' ? page : join(dirname(page), path),
        anchor,
      }),
    ),
  )
  assert.ok(links.length > 50)
  const broken = links.filter(
    ({ path, anchor }) =>
      !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(path).has(anchor)),
  )
  assert.deepEqual(
    broken.map(({ link }) => link),
    [],
  )
})

test('every file and folder of the tree that a page names exists', () => {
  const named = pages().flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|packages|console|scripts|bench|docs)\/[\w./{},-]+)`/g)].flatMap(
      ([, name = '']) => alternatives(name).map((file) => ({ file, where: `${path}: ${name}` })),
    ),
  )
  assert.ok(named.length > 20, `${named.length} paths were found`)
  assert.deepEqual(
    named.filter(({ file }) => !existsSync(join(ROOT, file))).map(({ where }) => where),
    [],
  )
})

test('the index lists every page', () => {
  const index = textOf('docs/README.md')
  const pages = DOCS.map((page) => page.replace('docs/', '')).filter((page) => page !== 'README.md')
  assert.deepEqual(
    pages.filter((page) => !index.includes(`](${page})`)),
    [],
  )
})

test('every setting, command and npm script that a page names exists', () => {
  const texts = PAGES.map(textOf).join('\n')
  const settings = new Set([...Object.keys({ ...SETTINGS, ...LISTEN_SETTINGS }), 'RADAR_CONFIG'])
  const names = [...texts.matchAll(/\bRADAR_[A-Z_]+\b/g)].map(([name]) => name)
  assert.deepEqual(
    names.filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, ''))),
    [],
  )
  const commands = new Set(Object.keys(COMMANDS))
  const used = [...texts.matchAll(/(?:`|^|bin\/)radar ([a-z]+(?:-[a-z]+)*)(?: ([a-z-]+[a-z]))?/gm)]
  assert.ok(used.length > 10)
  assert.deepEqual(
    used
      .filter(([, one, two]) => !commands.has(`${one}`) && !commands.has(`${one} ${two}`))
      .map(([text]) => text)
      .filter((text) => !text.endsWith('radar help')),
    [],
  )
  const { scripts } = JSON.parse(textOf('package.json'))
  const run = [...texts.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name)
  assert.deepEqual(
    run.filter((name) => !(name in scripts)),
    [],
  )
})

test('every option that a page gives to a command exists', async () => {
  const options = new Map(
    await Promise.all(
      Object.entries(COMMANDS).map(async ([name, { load }]) => [name, (await load()).options] as const),
    ),
  )
  const given = pages().flatMap(({ path, text }) =>
    [...text.matchAll(/\bradar ([a-z]+(?:-[a-z]+)*)(?: ([a-z-]+[a-z]))?([^`\n#]*)/g)].flatMap(
      ([, one, two, rest = '']) => {
        const known = options.get(`${one} ${two}`) ?? options.get(`${one}`)
        if (known === undefined) return []
        return [...rest.matchAll(/ --([a-z][a-z-]*)/g)].map(([, option = '']) => ({
          known,
          option,
          where: `${path}: radar ${one} --${option}`,
        }))
      },
    ),
  )
  assert.ok(given.length > 20, `${given.length} options were found`)
  const unknown = given.filter(({ known, option }) => !(option in known))
  assert.deepEqual(
    unknown.map(({ where }) => where),
    [],
  )
})

test('the page of commands has exactly the commands and options of the code', async () => {
  const page = textOf('docs/reference/commands.md')
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => [/^`radar ([a-z -]+)`/.exec(section)?.[1] ?? '', section.split(/^## /m)[0] ?? '']),
  )
  assert.deepEqual([...sections.keys()].sort(), Object.keys(COMMANDS).sort())
  const shared = page.slice(page.indexOf('## Dead letters'), page.indexOf('### `radar dead list`'))
  const missing: string[] = []
  const unknown: string[] = []
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const { options } = await load()
    const own = sections.get(name) ?? ''
    const text = name.startsWith('dead ') ? own + shared : own
    for (const option of Object.keys(options))
      if (!new RegExp(`--${option}(?![a-z-])`).test(text)) missing.push(`${name} --${option}`)
    for (const [, option = ''] of own.matchAll(/--([a-z][a-z-]*)/g))
      if (!(option in options)) unknown.push(`${name} --${option}`)
  }
  assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] })
})

test('the page on signatures and the console show the same code', () => {
  const withoutGaps = (text: string) => text.replaceAll(/\n+/g, '\n')
  const page = withoutGaps(textOf(VERIFY_PAGE))
  for (const { language, code: snippet } of VERIFY_SNIPPETS)
    assert.ok(page.includes(withoutGaps(snippet)), language)
})

test('the page on chat messages has the presets of HTTP requests', () => {
  const examples = [...textOf('docs/how-to/chat-messages.md').matchAll(/^```json\n([\s\S]*?)^```/gm)]
  const withoutSpace = (text: string) => text.replaceAll(/\s/g, '')
  assert.deepEqual(
    examples
      .map(([, text = '']) => ({ method: 'POST', ...JSON.parse(text) }))
      .map((settings) => ({ ...settings, body: withoutSpace(settings.body) })),
    Object.values(HTTP_PRESETS).map((preset) => ({ ...preset, body: withoutSpace(preset.body) })),
  )
})

test('the code for Node accepts a valid signature, also of the old secret during a rotation, and rejects others', async () => {
  const [{ code: snippet }] = VERIFY_SNIPPETS
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(snippet)}`)
  const body = Buffer.from('{"title":"Größe 🎈"}')
  const [secret, old] = [newSecret(), newSecret()]
  const now = systemClock.now()
  const signed = (secrets: readonly string[], at = now) =>
    signatureHeaders({ eventId: 'f'.repeat(64), body, at, secrets })
  const headers = signed([secret])
  assert.equal(verify(body, headers, secret), true)
  assert.equal(verify(Buffer.from(`${body} `), headers, secret), false)
  assert.equal(verify(body, {}, secret), false)
  assert.equal(verify(body, signed([secret], later(now, -600_000)), secret), false)
  const rotating = signed([secret, old])
  assert.deepEqual([verify(body, rotating, secret), verify(body, rotating, old)], [true, true])
  assert.equal(verify(body, headers, old), false)
})

test('the scripts that start the service give Node the options that bin/radar gives it', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  for (const [name, command] of [
    ['start', 'serve'],
    ['demo', 'demo'],
  ] as const)
    assert.ok(
      scripts[name]?.endsWith(`&& node ${NODE_OPTIONS.join(' ')} bin/radar ${command}`),
      scripts[name],
    )
})

test('no page, code or test cites a document that is not in the repository', () => {
  const foreign = new RegExp(
    ['\\bDESIGN(?:\\.md)?\\b', '\\bSPEC(?:\\.md)?\\b', '[Ss]pecification \\d', 'store facts [A-Z]\\d'].join(
      '|',
    ),
  )
  const citing = [...pages(), ...readSourceTree(CITING_FOLDERS)].flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (foreign.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  )
  assert.deepEqual(citing, [])
})

test('every page and heading that code cites exists', () => {
  const folders = ['src', 'test', 'packages', 'console', 'bench', 'scripts']
  const cited = readSourceTree(folders).flatMap(({ path, text }) =>
    [...text.matchAll(/(?<!\/)\bdocs\/([a-z/-]+\.md)(?:, ([\w -]+(?:\.\w+)?))?/g)].map(
      ([citation, name = '', heading]) => ({
        citation: `${path}: ${citation}`,
        page: `docs/${name}`,
        heading,
      }),
    ),
  )
  const broken = cited.filter(
    ({ page, heading }) =>
      !existsSync(join(ROOT, page)) ||
      (/^[A-Z\d]/.test(heading ?? '') && !headingsOf(page).some((one) => heading?.startsWith(one))),
  )
  assert.deepEqual(
    broken.map(({ citation }) => citation),
    [],
  )
})

/** `a/{b,c}` names `a/b` and `a/c`. */
function alternatives(path: string): string[] {
  const braces = /\{([^}]*)\}/.exec(path)
  return braces === null ? [path] : (braces[1] ?? '').split(',').map((one) => path.replace(braces[0], one))
}

function pages() {
  return PAGES.map((path) => ({ path, text: textOf(path) }))
}

/** As GitHub makes them: lowercase, without punctuation, hyphens for spaces. */
function anchorsOf(page: string): Set<string> {
  return new Set(
    headingsOf(page).map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function headingsOf(page: string): string[] {
  const withoutCode = textOf(page).replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
}

test('texts write e-mail with a hyphen', () => {
  // Keywords follow the variable `email`; `email profile` are scopes of OpenID Connect.
  const bare = /(?:^|[ '"`>(])(?:[Ee]mails? (?!as |in |is |of |profile|satisfies )[a-z]|Emails?['"`<])/m
  const files = [
    ...readSourceTree(['src', 'console', 'packages']).filter(
      ({ path }) => !/^packages\/language\/|\.test\./.test(path),
    ),
    ...[...PAGES, 'CHANGELOG.md'].map((path) => ({ path, text: textOf(path) })),
  ]
  assert.deepEqual(
    files.filter(({ text }) => bare.test(text)).map(({ path }) => path),
    [],
  )
})
