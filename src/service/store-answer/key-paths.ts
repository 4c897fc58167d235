import { jsonPartsOf } from './json-parts.ts'

/** The structure of an answer without its values: paths and types, such as `data[].id: string`. */

/** A name of a program. Anything else may be data, such as a name of a person as a key. */
const KEY = /^[A-Za-z_$@][\w$:.@-]{0,40}$/
/** An object with more keys is a map by data. */
const KEYS_MAX = 60
const DEPTH_MAX = 12
/** A shorter list may be a row, in which each position has a meaning, as in Google's answers. */
const LIST_MIN = 5

/** At most `max` paths, and how many more there are. Positions that are always null have none. */
export function keyPathsOf(answer: string, max: number): string[] {
  const types = new Map<string, Set<string>>()
  for (const { name, value } of jsonPartsOf(answer)) visit(value, name, 0, types)
  if (types.size === 0) for (const tag of tagsOf(answer)) types.set(`<${tag}>`, new Set())
  for (const [path, found] of types) if (found.size === 1 && found.has('null')) types.delete(path)
  const lines = [...types].map(([path, found]) =>
    found.size === 0 ? path : `${path}: ${[...found].sort().join('|')}`,
  )
  return lines.length <= max ? lines : [...lines.slice(0, max), `and ${lines.length - max} more`]
}

function visit(value: unknown, path: string, depth: number, types: Map<string, Set<string>>): void {
  const parts = depth < DEPTH_MAX ? partsOf(value, path) : []
  for (const [inner, item] of parts) visit(item, inner, depth + 1, types)
  if (parts.length > 0) return
  const known = types.get(path || '.') ?? new Set()
  types.set(path || '.', known.add(kindOf(value)))
}

/** What a value consists of. */
function partsOf(value: unknown, path: string): [path: string, value: unknown][] {
  if (typeof value === 'string') {
    const parts = /^\s*[[{]/.test(value) ? jsonPartsOf(value) : []
    return parts.slice(0, 1).map((part) => [`${path}(json)`, part.value])
  }
  if (Array.isArray(value)) {
    const [kind, ...more] = new Set(value.map(kindOf))
    const isList = more.length === 0 && (kind === 'object' || value.length >= LIST_MIN)
    return value.map((item, index) => [`${path}[${isList ? '' : index}]`, item])
  }
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  return entries.map(([key, item]) => {
    const name = isProgramName(key, entries.length) ? key : '*'
    return [path === '' ? name : `${path}.${name}`, item]
  })
}

/** Whether a key is a name of a program, not data. `keys`: those of its object. */
export function isProgramName(key: string, keys: number): boolean {
  return keys <= KEYS_MAX && KEY.test(key)
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
}

/** The names of tags of XML or of a page, each once. */
function tagsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/<([A-Za-z][\w:-]{0,40})/g)].map(([, tag]) => tag ?? ''))
}
