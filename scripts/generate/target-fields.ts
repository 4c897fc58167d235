import { z } from 'zod'
import type { Json } from '../../src/contract/openapi/schemas.ts'
import { TARGET_TYPES } from '../../src/model/target.ts'
import { TARGETS } from '../../src/pipeline/targets/index.ts'

/** Longer texts, such as the body of a request, get several lines. */
const LINE_CHARS_MAX = 4_096

/** The fields of each type's settings as the console shows them. The console has no zod, so it cannot read the schemas. */
export function targetFields(): Record<string, readonly Json[]> {
  return Object.fromEntries(
    TARGET_TYPES.map((type) => [type, type === 'webhook' ? [] : fieldsOf(TARGETS[type])]),
  )
}

function fieldsOf({ settings, secretFields }: (typeof TARGETS)[keyof typeof TARGETS]): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(settings, { io: 'input' })
  return Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const isSecret = secretFields.includes(name)
    return { name, isRequired: required.includes(name), isSecret, ...inputOf(property, isSecret) }
  })
}

/** How a person enters the values of a schema. */
function inputOf(schema: Json, isSecret: boolean): { readonly kind: string; readonly choices?: unknown } {
  const choices = (schema.anyOf ?? [schema]) as readonly Json[]
  const types = choices.flatMap(({ type }) => type).filter((type) => type !== 'null')
  const text = choices.find(({ type }) => type === 'string')
  if (text?.enum !== undefined) return { kind: 'choice', choices: text.enum }
  if (text !== undefined && Number(text.maxLength) > LINE_CHARS_MAX) return { kind: 'code' }
  if (text !== undefined) return { kind: isSecret && text.format !== 'template' ? 'secret' : 'text' }
  const kinds: Readonly<Record<string, string>> = {
    integer: 'whole number',
    boolean: 'flag',
    array: 'lines',
    object: 'headers',
  }
  const kind = kinds[String(types[0])]
  if (kind === undefined) throw new Error(`no input for the schema ${JSON.stringify(schema)}`)
  return { kind }
}
