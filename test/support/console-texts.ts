import { parseSync } from 'vite'
import type { SourceFile } from './source-tree.ts'

/** Attributes and properties whose value a user reads. */
const SHOWN =
  /^(label|title|placeholder|description|message|about|header|hint|verb|what|nothingFound|nothingFoundMessage|aria-label|aria-valuetext|ariaLabel|alt)$/
const LETTER = /\p{L}/u
/** Two words, but no media query. */
const SENTENCE = /^[^(].*\p{L}{2}[,.:;]? \p{L}|^\p{L}{2,}[,.:;]? \p{L}{2}/u
const WORD_WITH_SPACE = /\p{L}{3,}[,.:;]? | \p{L}{3,}/u
/** Addresses and styles. */
const NO_TEXT = /^https?:|var\(--/
/** A code in a property, such as a kind of action. */
const CODE = /^[a-z-]+$/
/** Query keys, codes, user agents, formats and messages for developers. */
const NOT_SHOWN = [
  'message preview',
  'whole number',
  'Mac OS X',
  'the page has no #root',
  'no form for the target type "',
  'YYYY-MM-DD HH:mm:ss',
]

type Node = {
  readonly type: string
  readonly start: number
} & Readonly<
  Partial<Record<'value' | 'name' | 'namespace' | 'key' | 'test' | 'consequent' | 'alternate', unknown>>
>

/**
 * The texts for users in a file, as `path:line text`: text of JSX elements, literals in attributes and properties that are shown,
 * and sentences in other literals.
 */
export function textsIn({ path, text }: SourceFile): string[] {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found: string[] = []
  const add = (node: Node, value: string) =>
    found.push(`${path}:${text.slice(0, node.start).split('\n').length} ${value.replace(/\s+/g, ' ').trim()}`)
  const check = (node: Node, value: string, isShown: boolean, sentence: RegExp) => {
    if (NOT_SHOWN.includes(value) || NO_TEXT.test(value)) return
    if (isShown ? LETTER.test(value) : sentence.test(value)) add(node, value)
  }
  const visit = (value: unknown, isShown: boolean): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, isShown)
      return
    }
    if (!isNode(value)) return
    if (value.type.startsWith('TS') && !KEPT_TYPES.has(value.type)) return
    switch (value.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        return
      case 'JSXText':
        if (LETTER.test(String(value.value))) add(value, String(value.value))
        return
      case 'JSXAttribute': {
        const name = nameOf(value.name)
        const attribute = value.value
        // The literal of another attribute is a class, a path or a size.
        if (!SHOWN.test(name) && isNode(attribute) && attribute.type === 'Literal') return
        visit(attribute, SHOWN.test(name))
        return
      }
      case 'Property': {
        const property = value.value
        if (isNode(property) && property.type === 'Literal' && CODE.test(String(property.value))) return
        visit(property, SHOWN.test(nameOf(value.key)))
        return
      }
      case 'Literal':
        if (typeof value.value === 'string') check(value, value.value, isShown, SENTENCE)
        return
      case 'TemplateElement':
        check(value, (value.value as { raw: string }).raw, isShown, WORD_WITH_SPACE)
        return
      case 'ConditionalExpression':
        // The condition compares codes.
        visit(value.test, false)
        visit([value.consequent, value.alternate], isShown)
        return
      case 'JSXExpressionContainer':
      case 'TemplateLiteral':
      case 'LogicalExpression':
        visit(Object.values(value), isShown)
        return
      default:
        visit(Object.values(value), false)
    }
  }
  visit(program.body, false)
  return found
}

/** Expressions around a value; other nodes of TypeScript are types. */
const KEPT_TYPES = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

const MESSAGES = /export const (\w+) = \{\n([\s\S]*?)\n\} as const/g

/** The texts of these modules that no other file uses, as `constant.key`. */
export function unusedTexts(modules: readonly SourceFile[], users: readonly SourceFile[]): string[] {
  const used = new Set(users.flatMap(({ text }) => text.match(/\b\w+Texts\s*\.\s*\w+/g) ?? []))
  return modules.flatMap(({ text }) =>
    [...text.matchAll(MESSAGES)].flatMap(([, constant, body = '']) =>
      [...body.matchAll(/^ {2}(\w+):/gm)]
        .map(([, key]) => `${constant}.${key}`)
        .filter((name) => !used.has(name)),
    ),
  )
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'JSXNamespacedName') return `${nameOf(node.namespace)}:${nameOf(node.name)}`
  return String(node.name ?? node.value ?? '')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
