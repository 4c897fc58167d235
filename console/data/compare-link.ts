import { type Column, columnSearchOf } from '../util/comparison.ts'
import { type CompareSearch, searchOf } from './compare-address.ts'

/** The address of a comparison. */
export function compareLink(columns: readonly Column[]): CompareSearch {
  return searchOf(columns.map(columnSearchOf))
}
