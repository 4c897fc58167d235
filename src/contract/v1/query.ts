import { z } from 'zod'
import { STORES } from '../../model/vocabulary.ts'
import { NOT_BLANK, says } from '../field.ts'

/** Fields that several operations share. */

export const PAGE_LIMIT = { min: 1, max: 200, default: 50 } as const

const limit = says('limit', `a whole number from ${PAGE_LIMIT.min} to ${PAGE_LIMIT.max}`)
const appId = says('app_id', 'text of 1 to 255 characters')

export const store = z.enum(STORES, says('store', '"apple" or "google"'))
export const appIdText = z.string(appId).trim().min(1, appId).max(255, appId).meta({ pattern: NOT_BLANK })

/** A number in a query, which is text. */
export function wholeNumber(
  field: string,
  range: { readonly min: number; readonly max: number },
  message = says(field, `a whole number from ${range.min} to ${range.max}`),
) {
  return z.coerce.number(message).int(message).min(range.min, message).max(range.max, message)
}

export function instant(field: string) {
  return z.iso
    .datetime({ offset: true, ...says(field, 'a time such as 2026-01-31T09:00:00Z') })
    .transform((text) => new Date(text))
}

export function flag(field: string) {
  return z.enum(['true', 'false'], says(field, '"true" or "false"')).transform((text) => text === 'true')
}

export function period(what: string) {
  return {
    since: instant('since')
      .optional()
      .meta({ description: `${what} at or after this time.` }),
    until: instant('until')
      .optional()
      .meta({ description: `${what} before this time.` }),
  }
}

/** `cursor`: the form of the cursors of this list. */
function page(cursor: RegExp) {
  return {
    cursor: z
      .string()
      .regex(cursor, says('cursor', '`next_cursor` of the previous page'))
      .optional()
      .meta({ description: '`next_cursor` of the previous page; omit it for the first page.' }),
    limit: wholeNumber('limit', PAGE_LIMIT, limit)
      .default(PAGE_LIMIT.default)
      .meta({ description: 'The maximum number of rows per page.' }),
  }
}

/** Pages whose cursor is a row's number, or its time and number. */
export const pageByNumber = page(/^\d{1,15}$/)
export const pageByInstant = page(/^\d{1,15}\.\d{1,15}$/)

/** One page of a list. */
export function pageOf<T extends z.ZodType>(id: string, row: T) {
  return z
    .object({
      data: z.array(row),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Pass it as `cursor` to get the next page; null on the last one.' }),
    })
    .meta({ id })
}

export const FORMATS = ['csv', 'jsonl'] as const
export const format = z
  .enum(FORMATS, says('format', '"csv" or "jsonl"'))
  .default('jsonl')
  .meta({ description: 'CSV for spreadsheets, or one JSON object per line.' })

export const HEX_64 = /^[0-9a-f]{64}$/
