/** A saved answer of an account, to insert into answers to reviews. */
export type ReplyTemplate = {
  readonly id: string
  readonly accountId: string
  /** Unique in the account. */
  readonly name: string
  /** With placeholders, such as `{{author}}`. */
  readonly text: string
  /** ISO 639-1; null for any language. */
  readonly language: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Names between `{{` and `}}` that are replaced by a value of the review. */
export const TEMPLATE_PLACEHOLDERS = ['author', 'app_name'] as const
export type TemplatePlaceholder = (typeof TEMPLATE_PLACEHOLDERS)[number]
export type TemplateValues = Readonly<Record<TemplatePlaceholder, string | null>>

/** The allowed placeholders, for messages and help. */
export const PLACEHOLDER_LIST = TEMPLATE_PLACEHOLDERS.map((name) => `{{${name}}}`).join(' and ')

/** Bounds the regular expressions, and the text of a message. */
const PLACEHOLDER_CHARS_MAX = 40
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** A name in a review may be a whole text. */
const VALUE_CHARS_MAX = 60

/** What is wrong with the placeholders of a text, to follow "text"; null when nothing is. */
export function placeholderProblem(text: string): string | null {
  for (const [, inside = ''] of text.matchAll(PLACEHOLDER)) {
    if (isPlaceholder(inside.trim())) continue
    const shown = [...inside].slice(0, PLACEHOLDER_CHARS_MAX).join('')
    return `has the unknown placeholder {{${shown}}}; allowed are ${PLACEHOLDER_LIST}.`
  }
  if (!/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))) return null
  return `has an incomplete placeholder; allowed are ${PLACEHOLDER_LIST}.`
}

/**
 * The text with the values of a review. A placeholder without a value disappears with the space before it, so that "Hello {{author}},"
 * becomes "Hello,". Values come from strangers: they stay on one line, are short, and their own placeholders are not replaced.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  const filled = text.replace(/([ \t]?)\{\{([^{}]*)\}\}/g, (_, space: string, inside: string) => {
    const name = inside.trim()
    const value = isPlaceholder(name) ? oneLine(values[name]) : ''
    return value === '' ? '' : space + value
  })
  return text.startsWith('{{') ? filled.replace(/^[\s,;:]+/, '') : filled
}

function isPlaceholder(name: string): name is TemplatePlaceholder {
  return TEMPLATE_PLACEHOLDERS.some((known) => known === name)
}

function oneLine(value: string | null): string {
  const line = (value ?? '')
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return [...line].slice(0, VALUE_CHARS_MAX).join('').trimEnd()
}
