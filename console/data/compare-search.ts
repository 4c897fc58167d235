import * as z from 'zod/mini'
import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import type { ColumnSearch } from '../util/comparison.ts'
import { instant, matching, oneOf } from './search.ts'

export const COLUMNS_MIN = 2

/** As long as the statistics take it. */
const version = matching(/^.{1,100}$/su)

/** `release`: since the first review of this version. `period`: days until now, or the same number of days before these. */
const column = z.object({
  app: matching(/^(all|(apple|google)\/.{1,520})$/),
  country: oneOf(STOREFRONTS),
  version,
  period: matching(/^(7|30|90|365)d(-before)?$/),
  release: version,
  since: instant,
  until: instant,
})

const NUMBERS = [1, 2, 3, 4] as const

/** The columns of an address, in their order. One without `app` is none, and unknown values are dropped. */
export function columnSearches(search: Readonly<Record<string, unknown>>): ColumnSearch[] {
  return NUMBERS.map((number) =>
    column.parse(
      Object.fromEntries(Object.keys(column.shape).map((name) => [name, search[`${name}${number}`]])),
    ),
  ).filter(({ app }) => app !== undefined)
}
