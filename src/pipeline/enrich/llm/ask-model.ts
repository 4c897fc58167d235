import type { ModelRefusal } from '../../../model/reply-draft.ts'
import type { AnswerShape } from './chat.ts'
import { type ChatFailure, type CompletionDeps, createCompletion } from './completion.ts'
import type { ModelBreaker } from './model-breaker.ts'
import { type ChatMessage, repairMessages } from './prompt.ts'

export type AskModelDeps = CompletionDeps & {
  /** False when this would exceed the day's limit. */
  readonly spend: (day: string, requests: number, limit: number) => Promise<boolean>
  /** Shared with the enrichment, which uses the same server. */
  readonly breaker: ModelBreaker
}

export type AskModelSettings = { readonly dailyLimit: number | null; readonly deadlineMs?: number }

export type ModelTask<T> = {
  /** What the model writes, in sentences for people. */
  readonly name: 'draft' | 'translation'
  readonly messages: readonly ChatMessage[]
  readonly shape: AnswerShape
  /** `problems` are sentence parts for the repair request and the person. They never quote the model. */
  readonly accept: (
    answered: string,
  ) =>
    | { readonly kind: 'accepted'; readonly value: T }
    | { readonly kind: 'rejected'; readonly problems: readonly string[] }
  readonly onFailed: (reason: string) => void
}

type AskModel = <T>(
  task: ModelTask<T>,
  signal: AbortSignal,
) => Promise<{ readonly kind: 'answered'; readonly value: T } | ModelRefusal>

/** A person waits for it. */
const DEADLINE_MS = 60_000

/**
 * Asks the model server of the enrichment for something that a person wants to read. A rejected answer is requested once more with the
 * reasons. Requests count towards the limit of the day. While the breaker is open, nothing is requested.
 */
export function createAskModel(
  deps: AskModelDeps,
  { dailyLimit, deadlineMs = DEADLINE_MS }: AskModelSettings,
): AskModel {
  const { breaker, clock } = deps
  const complete = createCompletion(deps)
  const mayRequest = async () =>
    dailyLimit === null || deps.spend(clock.now().toISOString().slice(0, 10), 1, dailyLimit)

  return async ({ name, messages: first, shape, accept, onFailed }, given) => {
    if (!breaker.mayRequest(clock.monotonicMs())) {
      return { kind: 'paused', waitMs: breaker.waitMs(clock.monotonicMs()) }
    }
    const deadline = AbortSignal.timeout(deadlineMs)
    const signal = AbortSignal.any([given, deadline])
    const failed = (reason: string, problem: string) => {
      onFailed(reason)
      return { kind: 'failed', problem } as const
    }
    let messages = first
    let problems: readonly string[] = []
    for (let requests = 0; requests < 2; requests += 1) {
      if (!(await mayRequest())) return { kind: 'daily_limit' }
      const answer = await complete(messages, shape, signal)
      if (answer.kind !== 'answered') {
        const reason = deadline.aborted ? 'timeout' : answer.reason
        // A refusal is about this review, and a stopping service says nothing about the server.
        if (reason !== 'refused' && !given.aborted) breaker.failed(clock.monotonicMs())
        return failed(reason, FAILURES[reason](name))
      }
      const verdict = accept(answer.text)
      if (verdict.kind === 'accepted') {
        breaker.succeeded()
        return { kind: 'answered', value: verdict.value }
      }
      problems = verdict.problems
      messages = repairMessages(first, answer.text, problems)
    }
    return failed('invalid_answer', `The model’s ${name} was rejected: ${problems.join('; ')}.`)
  }
}

const FAILURES: Readonly<Record<ChatFailure['reason'], (name: string) => string>> = {
  unreachable: () => 'The model server cannot be reached.',
  timeout: () => 'The model server did not answer in time.',
  rate_limited: () => 'The model server accepts no more requests at the moment.',
  unauthorized: () => 'The model server rejected the API key. The operator must check RADAR_LLM_API_KEY.',
  server_error: () => 'The model server failed.',
  refused: () => 'The model server refused to answer this review.',
  cut_off: (name) => `The model’s ${name} was cut off at the length limit.`,
  unreadable: () => 'The model server’s response could not be read.',
}
