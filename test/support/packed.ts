import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')
const runFile = promisify(execFile)
const TOOLS = join(ROOT, 'node_modules/.bin')

/** A package of `packages/` as users get it: built, packed, and installed in an empty project. */
export type Packed = Disposable & {
  /** The folder of the project. */
  readonly folder: string
  readonly manifest: {
    readonly exports: Readonly<Record<string, { types: string; default: string }>>
  } & Record<string, unknown>
  /** Sorted paths of the files in the package. */
  readonly files: readonly string[]
  /** Compiles a program without the types of Node, runs it and returns its output. */
  readonly run: (program: string) => Promise<string>
}

export function pack(name: string): Packed {
  const folder = mkdtempSync(join(tmpdir(), `radar-package-${name}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const packed = execFileSync(
      'npm',
      ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder],
      {
        cwd: join(ROOT, 'packages', name),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, PATH: [TOOLS, process.env.PATH].join(delimiter) },
      },
    )
    // The output of the build comes first.
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

/** The expected files of a package: built sources, their types, and the files that npm always adds. */
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
