import type { ModelRefusal } from '../model/reply-draft.ts'
import { OperationError } from './error.ts'

const DAY_MS = 24 * 3_600_000
/** The wait after one failure of the model server. */
const RETRY_S = 10

/** `task` names what is paused, and `instead` is what a person can do meanwhile; null for nothing but waiting. */
type Texts = { readonly task: 'drafts' | 'translations'; readonly instead: string | null }

/** The error for a model server that gave no text: `rate_limited` at the limit of the day, which ends at midnight UTC, else `unavailable`. */
export function modelRefused(refusal: ModelRefusal, now: Date, { task, instead }: Texts): OperationError {
  if (refusal.kind === 'daily_limit') {
    const retryAfterS = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000)
    const limit =
      'The installation has used its requests to the model server for today (RADAR_LLM_DAILY_LIMIT).'
    const advice = instead === null ? '' : ` ${capitalized(instead)}.`
    return new OperationError('rate_limited', `${limit}${advice}`, { retryAfterS })
  }
  const advice = instead === null ? '' : `, or ${instead}`
  if (refusal.kind === 'paused') {
    const retryAfterS = Math.max(1, Math.ceil(refusal.waitMs / 1_000))
    const paused = `The model server failed repeatedly, so ${task} are paused. Try again in ${retryAfterS} s${advice}.`
    return new OperationError('unavailable', paused, { retryAfterS })
  }
  return new OperationError('unavailable', `${refusal.problem} Try again${advice}.`, { retryAfterS: RETRY_S })
}

/** `task` needs a model server, and there is none. */
export function noModel(task: Texts['task']): OperationError {
  return new OperationError(
    'conflict',
    `This installation has no model server, which ${task} need (RADAR_ENRICHMENT=llm).`,
  )
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
