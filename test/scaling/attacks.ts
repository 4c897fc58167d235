import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import type { Expression } from './expressions.ts'

/** Characters of which each class of a usual expression has one. */
const PROBES = [
  ...'aAzf0 9_-.,:;/\\"\'`<>()[]{}=#@!?*+|~&%$^\t\n\r\0',
  '\u00e9',
  'あ',
  '中',
  '\u0301',
  '\u200b',
  '😀',
  'ー',
  '한',
  '•',
  '…',
]
/** Different texts for one repetition. */
const VARIANTS = 8
/** What ends a text, so that an expression fails only there. */
const ENDS = ['', '\n', '\0', 'x!']
/** A repetition of fewer is as quick as if it were written out. */
const REPEATS_MIN = 10

export function parsedExpression({ source, flags }: Expression): AST.RegExpLiteral {
  return new RegExpParser({ ecmaVersion: 2025 }).parseLiteral(`/${source}/${flags}`)
}

/**
 * Texts of about `chars` characters that are made to be slow for an expression. For each of its repetitions: what must come before it, and
 * then what it repeats; both again and again; or only what comes before, which the repetition may contain.
 */
export function* attacksOn(expression: Expression, chars: number): Generator<string> {
  const seen = new Set<string>()
  const { pattern, flags } = parsedExpression(expression)
  const sampler = samplerOf(flags.raw)
  const repeated: AST.Quantifier[] = []
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => void (node.max >= REPEATS_MIN && repeated.push(node)),
  })
  for (const quantifier of repeated) {
    const before = beforeOf(quantifier, sampler)
    for (let variant = 0; variant < VARIANTS; variant += 1) {
      const pump = sampler(quantifier.element, variant)
      for (const [once, again] of [
        [before, pump],
        ['', before + pump],
        ['', before],
      ] as const) {
        if (again === '' || seen.has(`${once}\0${again}`)) continue
        seen.add(`${once}\0${again}`)
        const text = once + again.repeat(Math.ceil(chars / again.length))
        for (const end of ENDS) yield text + end
      }
    }
  }
}

type Sampler = (node: AST.Element | AST.Alternative, variant: number) => string

/** Texts that match a part of an expression, each variant with other characters where there is a choice. */
function samplerOf(flags: string): Sampler {
  const own = flags.replace(/[gy]/g, '')
  const known = new Map<string, readonly string[]>()
  const charactersOf = (raw: string) => {
    let found = known.get(raw)
    if (found === undefined) {
      const expression = new RegExp(`^(?:${raw})$`, own.includes('s') ? own : `${own}s`)
      found = PROBES.filter((probe) => expression.test(probe))
      known.set(raw, found)
    }
    return found
  }
  const sample: Sampler = (node, variant) => {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => sample(element, variant)).join('')
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass': {
        const characters = charactersOf(node.raw)
        return characters[variant % characters.length] ?? ''
      }
      case 'Group':
      case 'CapturingGroup': {
        const alternative = node.alternatives[variant % node.alternatives.length]
        return alternative === undefined ? '' : sample(alternative, variant)
      }
      case 'Quantifier':
        return sample(node.element, variant).repeat(node.min)
      default:
        return ''
    }
  }
  return sample
}

/** A text for all that must match before a node. */
function beforeOf(node: AST.Node, sampler: Sampler): string {
  const { parent } = node
  if (parent === null) return ''
  if (parent.type !== 'Alternative') return beforeOf(parent, sampler)
  const at = parent.elements.indexOf(node as AST.Element)
  const before = parent.elements.slice(0, at).map((element) => sampler(element, 0))
  return beforeOf(parent, sampler) + before.join('')
}
