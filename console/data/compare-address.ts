import type { ColumnSearch } from '../util/comparison.ts'

/**
 * The search parameters of a comparison: those of each column, with its number, such as `app1` and `version1`. Every page
 * loads this; the page of the comparison checks the values.
 */

export const COLUMNS_MAX = 4

export type CompareSearch = {
  readonly [name in `${keyof ColumnSearch}${1 | 2 | 3 | 4}`]?: string | undefined
}

const NAME = /^(?:app|country|version|period|release|since|until)[1-4]$/

export function compareSearch(search: Readonly<Record<string, unknown>>): CompareSearch {
  return Object.fromEntries(Object.entries(search).filter(([name]) => NAME.test(name)))
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
