import type { DraftReply } from '../../../../model/reply-draft.ts'
import { type ChatFailure, type CompletionDeps, createCompletion } from '../completion.ts'
import type { ModelBreaker } from '../model-breaker.ts'
import { repairMessages } from '../prompt.ts'
import { acceptDraft } from './accept-draft.ts'
import { DRAFT_SHAPE, draftMessages } from './prompt.ts'

export type DraftReplyDeps = CompletionDeps & {
  /** False when this would exceed the day's limit. */
  readonly spend: (day: string, requests: number, limit: number) => Promise<boolean>
  /** Shared with the enrichment, which uses the same server. */
  readonly breaker: ModelBreaker
}

/** A person waits for it. */
const DEADLINE_MS = 60_000

/**
 * Drafts answers with the model server of the enrichment. A rejected draft is requested once more with the reasons. Requests count
 * towards the limit of the day. While the breaker is open, nothing is requested. Stores and sends nothing.
 */
export function createDraftReply(
  deps: DraftReplyDeps,
  {
    dailyLimit,
    deadlineMs = DEADLINE_MS,
  }: { readonly dailyLimit: number | null; readonly deadlineMs?: number },
): DraftReply {
  const { breaker, clock } = deps
  const complete = createCompletion(deps)
  const mayRequest = async () =>
    dailyLimit === null || deps.spend(clock.now().toISOString().slice(0, 10), 1, dailyLimit)

  return async (request, given) => {
    if (!breaker.mayRequest(clock.monotonicMs())) {
      return { kind: 'paused', waitMs: breaker.waitMs(clock.monotonicMs()) }
    }
    const deadline = AbortSignal.timeout(deadlineMs)
    const signal = AbortSignal.any([given, deadline])
    const failed = (reason: string, problem: string) => {
      const { store } = request.review
      deps.log.warn('model.draft_failed', { url: deps.url, model: deps.model, store, reason })
      return { kind: 'failed', problem } as const
    }
    const first = draftMessages(request)
    let messages = first
    let problems: readonly string[] = []
    for (let requests = 0; requests < 2; requests += 1) {
      if (!(await mayRequest())) return { kind: 'daily_limit' }
      const answer = await complete(messages, DRAFT_SHAPE, signal)
      if (answer.kind !== 'answered') {
        const reason = deadline.aborted ? 'timeout' : answer.reason
        // A refusal is about this review, and a stopping service says nothing about the server.
        if (reason !== 'refused' && !given.aborted) breaker.failed(clock.monotonicMs())
        return failed(reason, FAILURES[reason])
      }
      const verdict = acceptDraft(answer.text, request.appName ?? '', request.charsMax)
      if (verdict.kind === 'accepted') {
        breaker.succeeded()
        return { kind: 'drafted', text: verdict.text }
      }
      problems = verdict.problems
      messages = repairMessages(first, answer.text, problems)
    }
    return failed('invalid_answer', `The draft of the model was refused: ${problems.join('; ')}.`)
  }
}

const FAILURES: Readonly<Record<ChatFailure['reason'], string>> = {
  unreachable: 'The model server cannot be reached.',
  timeout: 'The model server did not answer in time.',
  rate_limited: 'The model server takes no more requests at the moment.',
  unauthorized: 'The model server refused the API key. The operator must check RADAR_LLM_API_KEY.',
  server_error: 'The model server failed.',
  refused: 'The model server refused to answer this review.',
  cut_off: 'The draft of the model was cut off at its length limit.',
  unreadable: 'The answer of the model server could not be read.',
}
