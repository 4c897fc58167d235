import * as z from 'zod/mini'
import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import type { ColumnSearch } from '../util/comparison.ts'
import { instant, matching, oneOf, text } from './search.ts'

/**
 * The search parameters of a comparison: those of each column, with its number, such as `app1` and `version1`. A column
 * without `app` is none. Unknown values are dropped, as on other pages.
 */

export const COLUMNS_MIN = 2
export const COLUMNS_MAX = 4

/** `release`: since the first review of this version. `period`: days until now, or the same number of days before these. */
const column = z.object({
  app: matching(/^(all|(apple|google)\/.{1,520})$/),
  country: oneOf(STOREFRONTS),
  version: text,
  period: matching(/^(7|30|90|365)d(-before)?$/),
  release: text,
  since: instant,
  until: instant,
})

const NUMBERS = [1, 2, 3, 4] as const
type Numbered = `${keyof ColumnSearch}${(typeof NUMBERS)[number]}`
export type CompareSearch = { readonly [name in Numbered]?: string | undefined }

export function compareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  return searchOf(columnSearches(search))
}

/** The columns of an address, in their order. */
export function columnSearches(search: Readonly<Record<string, unknown>>): ColumnSearch[] {
  return NUMBERS.map((number) =>
    column.parse(
      Object.fromEntries(Object.keys(column.shape).map((name) => [name, search[`${name}${number}`]])),
    ),
  ).filter(({ app }) => app !== undefined)
}

/** The address of columns. */
export function searchOf(columns: readonly ColumnSearch[]): CompareSearch {
  return Object.fromEntries(
    columns
      .slice(0, COLUMNS_MAX)
      .flatMap((column, index) =>
        Object.entries(column).flatMap(([name, value]) =>
          value === undefined ? [] : [[`${name}${index + 1}`, value]],
        ),
      ),
  )
}
