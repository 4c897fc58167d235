import { truncated } from '../text.ts'
import type { Format } from './places.ts'

/**
 * Small logic-less templates: `{{path}}`, `{{json path}}`, `{{#if path}}…{{else}}…{{/if}}`. A path names a value by its
 * keys, such as `event.enrichment.summary_en`. Nothing is evaluated, values are never parsed again, and the time is
 * linear in template and output.
 */

export type Template = readonly Node[]

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | Value
  | {
      readonly kind: 'if'
      readonly path: Path
      readonly yes: Template
      readonly no: Template
      readonly line: number
    }
type Value = { readonly kind: 'value'; readonly path: Path; readonly asJson: boolean; readonly line: number }
type Path = readonly string[]

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  /** What is wrong, as the end of a sentence, with the line. */
  | { readonly ok: false; readonly problem: string }

const PATH = /^[A-Za-z_]\w*(?:\.\w+){0,7}$/
const DEPTH_MAX = 5

type Open = { readonly path: Path; readonly yes: Node[]; no: Node[] | null; readonly line: number }

export function parseTemplate(source: string): ParsedTemplate {
  const root: Node[] = []
  const open: Open[] = []
  const nodes = () => {
    const last = open.at(-1)
    return last === undefined ? root : (last.no ?? last.yes)
  }
  let end = 0
  let line = 1
  // Uses indexOf, because a regular expression would take quadratic time for tags without an end.
  for (let begin = source.indexOf('{{'); begin !== -1; begin = source.indexOf('{{', end)) {
    const text = source.slice(end, begin)
    if (text !== '') nodes().push({ kind: 'text', text })
    line += linesIn(text)
    const close = source.indexOf('}}', begin + 2)
    if (close === -1) return { ok: false, problem: `has {{ without }} (line ${line})` }
    end = close + 2
    const tag = source.slice(begin + 2, close)
    const problem = readTag(tag.trim(), line, open, nodes)
    if (problem !== null) return { ok: false, problem: `${problem} (line ${line})` }
    line += linesIn(tag)
  }
  const rest = source.slice(end)
  const last = open.at(-1)
  if (last !== undefined) return { ok: false, problem: `has {{#if}} without {{/if}} (line ${last.line})` }
  if (rest !== '') root.push({ kind: 'text', text: rest })
  return { ok: true, template: root }
}

function readTag(tag: string, line: number, open: Open[], nodes: () => Node[]): string | null {
  const [first = '', second, third] = tag.split(/\s+/)
  const last = open.at(-1)
  if (tag === 'else') {
    if (last === undefined || last.no !== null) return 'has {{else}} without {{#if}}'
    last.no = []
    return null
  }
  if (tag === '/if') {
    if (last === undefined) return 'has {{/if}} without {{#if}}'
    open.pop()
    nodes().push({ kind: 'if', path: last.path, yes: last.yes, no: last.no ?? [], line: last.line })
    return null
  }
  const name = second ?? first
  if (third !== undefined || !PATH.test(name) || (second !== undefined && !['#if', 'json'].includes(first)))
    return `has {{${tag.slice(0, 40)}}}, but allowed are {{name}}, {{json name}}, {{#if name}}, {{else}} and {{/if}}`
  const path = name.split('.')
  if (first === '#if' && second !== undefined) {
    if (open.length === DEPTH_MAX) return `has more than ${DEPTH_MAX} {{#if}} inside each other`
    open.push({ path, yes: [], no: null, line })
  } else {
    nodes().push({ kind: 'value', path, asJson: second !== undefined, line })
  }
  return null
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}

/** The paths of all values and conditions. */
export function pathsOf(template: Template): Path[] {
  return template.flatMap((node) => {
    if (node.kind === 'text') return []
    return node.kind === 'value' ? [node.path] : [node.path, ...pathsOf(node.yes), ...pathsOf(node.no)]
  })
}

/**
 * Why the format does not tell how the values of the template are escaped, as the end of a sentence with the line; null when it does. Both
 * parts of an `{{#if}}` must end at the same place.
 */
export function unclearPlaceOf(template: Template, format: Format): string | null {
  let problem: string | null = null
  const walk = (nodes: Template, start: string): string => {
    let state = start
    for (const node of nodes) {
      if (problem !== null) return state
      if (node.kind === 'text') state = format.after(state, node.text)
      else if (node.kind === 'value') {
        const { problem: found } = format.at(state)
        if (found !== null) problem = `has a value ${found} (line ${node.line})`
      } else {
        const before = state
        state = walk(node.yes, before)
        if (state !== walk(node.no, before)) {
          problem ??= `has an {{#if}} with a quote or tag that only one of its parts ends (line ${node.line})`
        }
      }
    }
    return state
  }
  walk(template, format.start)
  return problem
}

/** All values of an output have together at most this number of characters before escaping; later ones are truncated. */
const VALUES_CHARS_MAX = 100_000

/**
 * Fills a template. Missing values are empty; `{{json …}}` writes `null` for them, and so does a value at a place for JSON. Each value has
 * at most `valueCharsMax` characters before it is escaped.
 */
export function renderTemplate(
  template: Template,
  data: unknown,
  format: Format,
  valueCharsMax = VALUES_CHARS_MAX,
): string {
  let room = VALUES_CHARS_MAX
  // A template may have a whole event a thousand times.
  const texts = new Map<string, string>()
  const textAt = (path: Path, asJson: boolean): string => {
    const key = `${asJson} ${path.join('.')}`
    const known = texts.get(key)
    if (known !== undefined) return known
    const value = valueAt(data, path)
    const text = asJson ? (JSON.stringify(value ?? null) ?? 'null') : textOf(value)
    texts.set(key, text)
    return text
  }
  let state = format.start
  const render = (nodes: Template): string =>
    nodes
      .map((node) => {
        if (node.kind === 'text') {
          state = format.after(state, node.text)
          return node.text
        }
        if (node.kind === 'if') return render(isTrue(valueAt(data, node.path)) ? node.yes : node.no)
        const place = format.at(state)
        const asJson = node.asJson || place.asJson
        const text = textAt(node.path, asJson)
        const charsMax = Math.min(room, valueCharsMax)
        if (text.length > charsMax && asJson) return 'null'
        const shown = truncated(text, charsMax).toWellFormed()
        room -= shown.length
        return asJson ? place.ofJson(shown) : place.ofText(shown)
      })
      .join('')
  return render(template)
}

/** Own keys only: `constructor` and `__proto__` are missing values. */
function valueAt(data: unknown, path: Path): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
