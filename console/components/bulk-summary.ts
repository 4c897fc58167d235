import type { BulkResult } from '../../src/contract/v1/bulk.ts'
import { bulkTexts } from '../messages/common.ts'

/** "12 paused, 2 unchanged, 1 could not be paused: Its receiver turned it off." */
export function bulkSummary(result: BulkResult, asked: number, done: string): string {
  const { changed, failed } = result
  const unchanged = asked - changed - failed.length
  const parts = [bulkTexts.changed(changed, done)]
  if (unchanged > 0) parts.push(bulkTexts.unchanged(unchanged))
  if (failed.length === 0) return `${parts.join(', ')}.`
  const reasons = [...new Set(failed.map(({ reason }) => reason))]
  return `${[...parts, bulkTexts.failed(failed.length, done)].join(', ')}: ${reasons.join(' ')}`
}
