import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const runFile = promisify(execFile)
const TOOLS = join(ROOT, 'node_modules/.bin')

/** A package of `packages/` as its users get it: built, packed, and unpacked into an empty project. */
export type Packed = Disposable & {
  /** The project. */
  readonly folder: string
  readonly manifest: {
    readonly exports: Readonly<Record<string, { types: string; default: string }>>
  } & Record<string, unknown>
  /** Paths in the package, sorted. */
  readonly files: readonly string[]
  /** Compiles a program against its types alone, without those of Node, and runs it; its output. */
  readonly run: (program: string) => Promise<string>
}

export function pack(name: string): Packed {
  const folder = mkdtempSync(join(tmpdir(), `radar-package-${name}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(ROOT, 'packages', name),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, PATH: [TOOLS, process.env.PATH].join(delimiter) },
    })
    // The build writes before it.
    const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n')))
    const installed = join(folder, 'node_modules', '@review-radar', name)
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['xzf', join(folder, filename), '-C', installed, '--strip-components=1'])
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), CONSUMER)
    return {
      folder,
      manifest: JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')),
      files: files.map(({ path }: { path: string }) => path).sort(),
      run: async (program) => {
        writeFileSync(join(folder, 'program.ts'), program)
        await runFile(join(TOOLS, 'tsc'), ['-p', folder])
        return (await runFile(process.execPath, ['program.ts'], { cwd: folder, encoding: 'utf8' })).stdout
      },
      [Symbol.dispose]: remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** What a package with these sources holds: each file built, with its types, and what npm always adds. */
export function builtFilesOf(name: string): readonly string[] {
  const built = readdirSync(join(ROOT, 'packages', name, 'src'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => ['.js', '.d.ts'].map((end) => `dist/${file.replace(/\.ts$/, end)}`))
  return [...built, 'LICENSE', 'README.md', 'package.json'].sort()
}

const CONSUMER = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    exactOptionalPropertyTypes: true,
  },
  include: ['*.ts'],
})
