import { z } from 'zod'
import { EVENT_TYPES } from '../model/vocabulary.ts'

/** Allowed values for messages: `"new", "seen" or "done"`. */
export function oneOf(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value}"`)
  const before = quoted.slice(0, -1).join(', ')
  return [before, ...quoted.slice(-1)].filter(Boolean).join(' or ')
}

/** The allowed values of `event_type`, for messages. */
export const EVENT_TYPE_CHOICE = oneOf(EVENT_TYPES)

/** Characters of a caller's value that an error message quotes. */
const SHOWN_CHARS_MAX = 60

/** The message of a body that is no object. */
export const OBJECT = { error: 'The body must be a JSON object.' } as const

type Issue = { readonly input?: unknown }

/**
 * The error message of a field: the field, the allowed values, and the given value. `null` and absent count as "not
 * given".
 */
export function says(field: string, allowed: string): { readonly error: (issue: Issue) => string } {
  return {
    error: ({ input }) =>
      input === undefined || input === null
        ? `${field} is required: it must be ${allowed}.`
        : `${field} must be ${allowed}, not ${shown(input)}.`,
  }
}

/** The same without the given value, for a field that contains secrets or gets them by mistake. */
export function saysUnquoted(field: string, allowed: string): { readonly error: (issue: Issue) => string } {
  return {
    error: ({ input }) =>
      input === undefined || input === null
        ? `${field} is required: it must be ${allowed}.`
        : `${field} must be ${allowed}.`,
  }
}

/**
 * Text of 1 to `charsMax` characters (code points, not UTF-16 units). NUL and lone surrogates are rejected, because not every database and
 * not UTF-8 can store them.
 */
export function text(field: string, allowed: string, charsMax: number, charsMin = 1) {
  const message = says(field, allowed)
  const clean = says(field, `${allowed}, without NUL and lone surrogates`)
  return z
    .string(message)
    .refine((value) => charsOf(value) >= charsMin && charsOf(value) <= charsMax, message)
    .refine(isClean, clean)
    .meta({ minLength: charsMin, maxLength: charsMax })
}

/** The pattern of text that is not blank, for the description of the API. */
export const NOT_BLANK = '\\S'

function charsOf(value: string): number {
  let chars = 0
  for (const _ of value) chars += 1
  return chars
}

function isClean(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/** 64 KiB of JSON can be nested thousands of levels deep, and JSON.stringify then overflows the stack. */
const SHOWN_LEVELS_MAX = 32

function shown(input: unknown): string {
  if (isDeeperThan(input, SHOWN_LEVELS_MAX)) return `a value nested more than ${SHOWN_LEVELS_MAX} levels deep`
  // JSON.parse reads 1e400 as Infinity, which JSON.stringify turns into null.
  const json = typeof input === 'number' ? String(input) : (JSON.stringify(input) ?? String(input))
  return charsOf(json) > SHOWN_CHARS_MAX ? `${[...json].slice(0, SHOWN_CHARS_MAX).join('')}…` : json
}

/** Recurses at most `levels` deep. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

/** `message_schedule.daily_at` for `messageSchedule.dailyAt`: fields of the REST API and of files are in snake case. */
export function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
