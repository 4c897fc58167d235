import { parseSync } from 'vite'
import { readSourceTree } from '../support/source-tree.ts'

/** A regular expression of the product. */
export type Expression = { readonly source: string; readonly flags: string; readonly places: string[] }

const FOLDERS = ['src', 'packages/language/src', 'packages/client/src', 'packages/receiver/src', 'console']
/** Nothing of these runs in the product. */
const OF_TESTS = /\.test\.tsx?$|^src\/storage\/conformance\/|^console\/e2e\//

/**
 * Each literal in the source of the product, and what its modules build from strings when they are loaded. `unknown`: the places that build
 * one later, or not in Node.
 */
export async function expressionsOfProduct(): Promise<{
  readonly expressions: readonly Expression[]
  readonly unknown: readonly string[]
}> {
  const { literals, built } = inSource()
  const made = await builtAtLoad(new Set(built.map((place) => place.replace(/:\d+$/, ''))))
  const unknown = built.filter((place) => !made.some(({ places }) => places.includes(place)))
  return { expressions: [...literals, ...made], unknown }
}

/** Loads modules and notes the expressions that they build. */
async function builtAtLoad(paths: ReadonlySet<string>): Promise<Expression[]> {
  const made: Expression[] = []
  const { RegExp: original } = globalThis
  const noted = (given: ConstructorParameters<typeof RegExp>) => {
    const { source, flags } = new original(...given)
    const place = /([^\s/]+(?:\/[^\s/:]+)*):(\d+):\d+\)?$/
    const [, file = '', line = ''] = place.exec(new Error().stack?.split('\n')[3] ?? '') ?? []
    for (const path of paths)
      if (file.endsWith(path)) made.push({ source, flags, places: [`${path}:${line}`] })
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (_, given: ConstructorParameters<typeof RegExp>) => {
      noted(given)
      return new original(...given)
    },
  })
  for (const path of paths) await import(new URL(`../../${path}`, import.meta.url).href)
  globalThis.RegExp = original
  return made
}

function inSource(): { readonly literals: Expression[]; readonly built: string[] } {
  const literals = new Map<string, Expression>()
  const built: string[] = []
  for (const { path, text } of readSourceTree(FOLDERS)) {
    if (OF_TESTS.test(path)) continue
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { type, start, regex, callee } = node as Partial<Syntax>
      const place = () => `${path}:${text.slice(0, start).split('\n').length}`
      if (type === 'Literal' && regex != null) {
        const { pattern: source, flags } = regex
        const key = `/${source}/${flags}`
        const known = literals.get(key)
        if (known === undefined) literals.set(key, { source, flags, places: [place()] })
        else known.places.push(place())
      }
      if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
        built.push(place())
      for (const inner of Object.values(node)) visit(inner)
    }
    visit(parseSync(path, text).program)
  }
  return { literals: [...literals.values()], built }
}

type Syntax = {
  readonly type: string
  readonly start: number
  readonly regex: { readonly pattern: string; readonly flags: string } | null
  readonly callee: { readonly name?: string }
}
