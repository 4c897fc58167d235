import type { ModelRefusal } from '../model/reply-draft.ts'
import { OperationError } from './error.ts'

const DAY_MS = 24 * 3_600_000
/** The wait after one failure of the model server. */
const RETRY_S = 10

/** What needs a model server. */
export type ModelTask = 'drafts' | 'translations'

type Advice = {
  readonly tomorrow: string
  readonly afterWait: (seconds: number) => string
  readonly now: string
}

/** What a person can do: an answer can be written without a model, a translation cannot. */
const ADVICE: Readonly<Record<ModelTask, Advice>> = {
  drafts: {
    tomorrow: 'Write the answer yourself, or try again after midnight UTC.',
    afterWait: (seconds) => `Try again in ${seconds} s, or write the answer yourself.`,
    now: 'Try again, or write the answer yourself.',
  },
  translations: {
    tomorrow: 'Try again after midnight UTC.',
    afterWait: (seconds) => `Try again in ${seconds} s.`,
    now: 'Try again.',
  },
}

/**
 * The error for a model server that gave no text: `rate_limited` at the limit of the day, which ends at midnight UTC, else `unavailable`.
 */
export function errorOfRefusal(refusal: ModelRefusal, now: Date, task: ModelTask): OperationError {
  const advice = ADVICE[task]
  switch (refusal.kind) {
    case 'daily_limit':
      return new OperationError(
        'rate_limited',
        `The installation has used its requests to the model server for today (RADAR_LLM_DAILY_LIMIT). ${advice.tomorrow}`,
        { retryAfterS: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000) },
      )
    case 'paused': {
      const retryAfterS = Math.max(1, Math.ceil(refusal.waitMs / 1_000))
      const sentence = `The model server failed repeatedly, so ${task} are paused. ${advice.afterWait(retryAfterS)}`
      return new OperationError('unavailable', sentence, { retryAfterS })
    }
    default:
      return new OperationError('unavailable', `${refusal.problem} ${advice.now}`, { retryAfterS: RETRY_S })
  }
}

/** `task` needs a model server, and there is none. */
export function noModel(task: ModelTask): OperationError {
  return new OperationError(
    'conflict',
    `This installation has no model server, which ${task} need (RADAR_ENRICHMENT=llm).`,
  )
}
