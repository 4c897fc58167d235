/**
 * Evaluates the part of Make's template language that this app uses: paths, text literals, numbers and some functions. Anything else
 * throws, so that the app uses only what the tests replay.
 */

export type Scope = Readonly<Record<string, unknown>>

const FUNCTIONS: Readonly<Record<string, (...values: never[]) => unknown>> = {
  first: (list: unknown[] | undefined) => list?.[0],
  last: (list: unknown[] | undefined) => list?.at(-1),
  split: (text: string | undefined, by: string) => text?.split(by),
  join: (list: unknown[] | undefined, by: string) => list?.join(by),
  map: (list: readonly Scope[], key: string) => list.map((row) => row[key]),
  contains: (list: readonly unknown[], value: unknown) => list.includes(value),
  ifempty: (value: unknown, other: unknown) => (isEmpty(value) ? other : value),
  min: (...values: number[]) => Math.min(...values),
  formatDate: (date: Date | undefined, format: string) => {
    if (format !== 'YYYY-MM-DDTHH:mm:ssZ') throw new Error(`unknown format ${format}`)
    return date === undefined ? undefined : `${date.toISOString().slice(0, 19)}+00:00`
  },
  toCollection: (rows: readonly Scope[] | undefined, key: string, value: string) =>
    Object.fromEntries((rows ?? []).map((row) => [row[key], row[value]])),
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** The value of a template, in which a text that is one expression keeps its type. Values that are undefined are left out. */
export function evaluate(template: unknown, scope: Scope): unknown {
  if (Array.isArray(template)) return template.map((one) => evaluate(one, scope))
  if (typeof template === 'object' && template !== null)
    return Object.fromEntries(
      Object.entries(template)
        .map(([key, value]) => [key, evaluate(value, scope)] as const)
        .filter(([, value]) => value !== undefined),
    )
  if (typeof template !== 'string') return template
  const whole = /^\{\{((?:(?!\}\}).)*)\}\}$/.exec(template)
  if (whole?.[1] !== undefined) return resultOf(whole[1], scope)
  return template.replaceAll(/\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(resultOf(expression, scope) ?? ''),
  )
}

const TOKEN = /\s*(?:('[^']*')|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w.]*)|([(),]))/y

function resultOf(expression: string, scope: Scope): unknown {
  const tokens = tokensOf(expression)
  const value = parse(tokens, scope)
  if (tokens.length > 0) throw new Error(`unknown expression ${expression}`)
  return value
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < expression.trimEnd().length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(expression)
    if (found === null) throw new Error(`unknown expression ${expression} at ${at}`)
    tokens.push(found[0].trim())
  }
  return tokens
}

function parse(tokens: string[], scope: Scope): unknown {
  const token = tokens.shift() ?? ''
  if (token.startsWith("'")) return token.slice(1, -1)
  if (/^-?\d/.test(token)) return Number(token)
  if (tokens[0] !== '(') return pathOf(token, scope)
  const apply = FUNCTIONS[token]
  if (apply === undefined) throw new Error(`unknown function ${token}`)
  const values: unknown[] = []
  do {
    tokens.shift()
    values.push(parse(tokens, scope))
  } while (nextOf(tokens) === ',')
  const end: string | undefined = tokens.shift()
  if (end !== ')') throw new Error(`unclosed call of ${token}`)
  return apply(...(values as never[]))
}

function nextOf(tokens: readonly string[]): string | undefined {
  return tokens[0]
}

function pathOf(path: string, scope: Scope): unknown {
  const [root = '', ...keys] = path.split('.')
  if (!(root in scope)) throw new Error(`${root} does not exist here`)
  return keys.reduce<unknown>((value, key) => (value as Scope | null | undefined)?.[key], scope[root])
}
