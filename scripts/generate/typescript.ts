import type { Json } from '../../src/contract/openapi/schemas.ts'

type Print = {
  /** Names of unions of texts, by their values. */
  readonly vocabularies: Readonly<Record<string, readonly string[]>>
  /** Names of types by the name of their schema, where they differ. */
  readonly renamed: Readonly<Record<string, string>>
  /** The type of an instant. A request also takes a `Date`, which is sent as text. */
  readonly instant: 'string' | 'string | Date'
}

const COMMENT_CHARS_MAX = 120

/** An exported type with its comment. */
export function typeOf(name: string, schema: Json, print: Print): string {
  return `${commentOf(schema)}export type ${name} = ${expressionOf(schema, print)}\n`
}

export function unionOf(name: string, values: readonly string[]): string {
  return `export type ${name} = ${values.map((value) => JSON.stringify(value)).join(' | ')}\n`
}

/** Names of the schemas that a schema refers to. */
export function refsOf(schema: unknown): string[] {
  return [...JSON.stringify(schema ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name ?? '',
  )
}

/** Prints the keywords that the contract uses. Those between fields, such as `dependentSchemas`, have no type. */
function expressionOf(schema: Json, print: Print): string {
  const [ref] = typeof schema.$ref === 'string' ? refsOf(schema) : []
  if (ref !== undefined) return print.renamed[ref] ?? ref
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return enumOf(schema.enum, print)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return choices.map((each: Json) => expressionOf(each, print)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => expressionOf({ ...schema, type }, print)).join(' | ')
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? print.instant : 'string'
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${expressionOf(schema.items as Json, print)})[]`
    case 'object':
      return objectOf(schema, print)
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    case undefined:
      return 'unknown'
    default:
      throw new Error(`no TypeScript for the schema ${JSON.stringify(schema)}`)
  }
}

function enumOf(values: readonly (string | null)[], { vocabularies }: Print): string {
  const texts = values.filter((value) => value !== null)
  const known = Object.entries(vocabularies).find(([, all]) => String(all) === String(texts))?.[0]
  const union = known ?? texts.map((text) => JSON.stringify(text)).join(' | ')
  return texts.length < values.length ? `${union} | null` : union
}

function objectOf(schema: Json, print: Print): string {
  if (schema.properties === undefined)
    return `Readonly<Record<string, ${expressionOf((schema.additionalProperties ?? {}) as Json, print)}>>`
  const required = (schema.required ?? []) as readonly string[]
  const fields = Object.entries(schema.properties as Record<string, Json>).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${commentOf(property)}readonly ${name}${mark}: ${expressionOf(property, print)}\n`
  })
  return `{\n${fields.join('')}}`
}

function commentOf(schema: Json): string {
  const parts = [schema, ...((schema.anyOf ?? []) as readonly Json[])]
  const text = parts.flatMap(({ description }) => (typeof description === 'string' ? [description] : []))[0]
  const range = parts.find(({ minimum, maximum }) => minimum !== undefined && maximum !== undefined)
  const comment = [text, range && `${range.minimum} to ${range.maximum}.`].filter(Boolean).join(' ')
  if (comment === '') return ''
  if (comment.length <= COMMENT_CHARS_MAX) return `/** ${comment} */\n`
  return `/**\n${linesOf(comment)
    .map((line) => ` * ${line}\n`)
    .join('')} */\n`
}

function linesOf(text: string): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + word.length < COMMENT_CHARS_MAX) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
