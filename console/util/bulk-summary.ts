import type { BulkResult } from '../../src/contract/console/deliveries.ts'
import { number } from './numbers.ts'

/** "12 paused, 2 unchanged, 1 could not be paused: Its receiver turned it off." */
export function bulkSummary(result: BulkResult, asked: number, done: string): string {
  const { changed, failed } = result
  const unchanged = asked - changed - failed.length
  const parts = [`${number(changed)} ${done}`]
  if (unchanged > 0) parts.push(`${number(unchanged)} unchanged`)
  if (failed.length === 0) return `${parts.join(', ')}.`
  const reasons = [...new Set(failed.map(({ reason }) => reason))]
  return `${[...parts, `${number(failed.length)} could not be ${done}`].join(', ')}: ${reasons.join(' ')}`
}
