import type { z } from 'zod'

/**
 * A schema that takes arguments as models write them: `null`, `"null"` and `""` for an optional argument are its absence; a text with a
 * number, a truth value or a list is what it says; one value is a list of one; a number is a text; names of enumerations are read in any
 * case. A value that fits as it is stays as it is. The JSON schema that clients see is that of `schema`.
 */
export function lenient(schema: z.ZodObject): Pick<z.ZodObject, '~standard'> {
  const standard = schema['~standard']
  return {
    '~standard': { ...standard, validate: (given: unknown) => standard.validate(coerced(schema, given)) },
  }
}

function coerced(schema: z.ZodObject, given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given ?? {}
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined
      if (value === null) return []
      // The schema refuses it by name.
      if (field === undefined) return [[name, value]]
      const isOptional = field.safeParse(undefined).success
      if (value === '' && isOptional) return []
      const fitting = [value, ...readings(value)].find((each) => field.safeParse(each).success)
      if (fitting !== undefined) return [[name, fitting]]
      return value === 'null' && isOptional ? [] : [[name, value]]
    }),
  )
}

/** Other readings of a value, the closest first. */
function readings(value: unknown): unknown[] {
  if (Array.isArray(value)) return [value.flatMap((each) => scalarOf(each))]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value), [value]]
  if (typeof value !== 'string') return [[value]]
  const scalar = scalarOf(value)
  const list = value.trim().startsWith('[') ? listOf(value) : []
  return [scalar, value.toLowerCase(), ...list.map((each) => each.map(scalarOf)), [scalar], [value]]
}

/** A number or truth value for a text that is one. */
function scalarOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text
}

function listOf(text: string): unknown[][] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? [parsed] : []
  } catch {
    return []
  }
}
