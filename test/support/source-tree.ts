import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export type SourceFile = {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
  /** Imported files of the repository, as paths from the root. Includes type imports. */
  readonly imports: readonly string[]
  /** Names of imported packages and Node modules. */
  readonly packages: readonly string[]
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)\s*import\s*'([^']+)'/g

/** All TypeScript files in these folders. */
export function readSourceTree(folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .filter((entry) => !/node_modules|\/dist/.test(entry.parentPath))
      .map((entry) => readSource(join(entry.parentPath, entry.name))),
  )
}

function readSource(file: string): SourceFile {
  const text = readFileSync(file, 'utf8')
  const named = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return {
    path: relative(root, file),
    text,
    lines: text.split('\n').length - 1,
    imports: named
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(root, join(dirname(file), name))),
    packages: named.filter((name) => !name.startsWith('.')),
  }
}
