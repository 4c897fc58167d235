import { dirname, join } from 'node:path'
import type { SourceFile } from './source-tree.ts'

const DECLARED =
  /^export\s+(?:declare\s+)?(?:async\s+)?(?:function\*?|const|let|class|abstract class|type|interface)\s+([\w$]+)/gm
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm
const IMPORTED = /(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*from\s*'(\.[^']+)'/g
/** Imports that use a whole file: dynamic imports, workers and child processes. */
const IMPORTED_WHOLE = /(?:import\(\s*|new URL\(\s*)'(\.[^']+\.tsx?)'/g
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm

const EVERYTHING = '*'

/**
 * The exports of `files` that neither their own file nor a file of `users` uses, as `path name`. An export used in its
 * own file is part of the product, even if only tests import it.
 */
export function unusedExports(files: readonly SourceFile[], users: readonly SourceFile[]): string[] {
  const imported = new Set(users.flatMap((file) => importsOf(file.path, withoutComments(file))))
  return files.flatMap((file) => {
    const { path } = file
    const text = withoutComments(file)
    return exportsOf(text)
      .filter(
        (name) =>
          !imported.has(`${path} ${name}`) &&
          !imported.has(`${path} ${EVERYTHING}`) &&
          occurrencesOf(name, text) === 1,
      )
      .map((name) => `${path} ${name}`)
  })
}

function withoutComments({ text }: SourceFile): string {
  return text.replace(COMMENT, '')
}

function importsOf(from: string, text: string): string[] {
  const named = [...text.matchAll(IMPORTED)].flatMap(([, clause = '', file = '']) => {
    const names = clause.startsWith('*')
      ? [EVERYTHING]
      : namesIn(/\{([\s\S]*)\}/.exec(clause)?.[1] ?? '', 'imported')
    return names.map((name) => `${join(dirname(from), file)} ${name}`)
  })
  const whole = [...text.matchAll(IMPORTED_WHOLE)].map(
    ([, file = '']) => `${join(dirname(from), file)} ${EVERYTHING}`,
  )
  return [...named, ...whole]
}

function exportsOf(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].map(([, name = '']) => name),
    ...[...text.matchAll(LISTED)].flatMap(([, list = '']) => namesIn(list, 'exported')),
  ]
}

/** For `a, type b as c`, returns `a` and `b` if imported, `a` and `c` if exported. */
function namesIn(list: string, side: 'imported' | 'exported'): string[] {
  return list
    .split(',')
    .map((part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/),
    )
    .map((names) => (side === 'imported' ? names[0] : names.at(-1)) ?? '')
    .filter((name) => name !== '')
}

function occurrencesOf(name: string, text: string): number {
  return text.match(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0
}
