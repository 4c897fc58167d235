import type { Enrichment } from '../../../model/enrichment.ts'
import type { ReviewOfApp } from '../../../model/review.ts'
import type { Log } from '../../../runtime/log.ts'
import { accept } from './accept.ts'
import { ModelAnswer, ModelItem } from './answer-schema.ts'
import { type ChatAnswer, type ChatDeps, chat, RUNGS } from './chat.ts'
import { extractJson } from './extract-json.ts'
import { type ChatMessage, messagesFor, type PromptItem, repairMessages } from './prompt.ts'

/** One request's own limit; the caller's deadline may end it sooner. */
const TIMEOUT_MS = 40_000

export type Asked = { readonly at: number; readonly review: ReviewOfApp; readonly item: PromptItem }

export type InterviewProblem =
  | Extract<ChatAnswer, { kind: 'failed' }>['reason']
  | 'invalid_answer'
  | 'daily_limit'

export type InterviewOutcome = {
  readonly accepted: ReadonlyMap<string, Enrichment>
  /** What went wrong last; null when every review was accepted. */
  readonly problem: InterviewProblem | null
}

type Interview = (
  batch: readonly Asked[],
  knownSlugs: readonly string[],
  mayAsk: (requests: number) => Promise<boolean>,
  signal: AbortSignal,
) => Promise<InterviewOutcome>

/**
 * Asks about one batch: once, then once more for what was refused or left out, with the problems named; left out
 * reviews of a larger batch are asked about singly. So at most two requests, plus one for each left out. The rung a
 * server takes is remembered for its life here.
 */
export function createInterview(deps: ChatDeps & { readonly log: Log }): Interview {
  let rungAt = 0

  const ask = async (
    messages: readonly ChatMessage[],
    reviews: number,
    signal: AbortSignal,
  ): Promise<ChatAnswer> => {
    for (;;) {
      const rung = RUNGS[rungAt] ?? 'prompt'
      const answer = await chat(deps, { messages, rung, reviews, timeoutMs: TIMEOUT_MS, signal })
      if (answer.kind !== 'rung_refused' || rung === 'prompt') return answer
      rungAt += 1
      deps.log.info('model.rung_refused', {
        url: deps.url,
        model: deps.model,
        refused: rung,
        next: RUNGS[rungAt],
      })
    }
  }

  return async (batch, knownSlugs, mayAsk, signal) => {
    const accepted = new Map<string, Enrichment>()
    const messages = messagesFor(
      batch.map(({ item }) => item),
      knownSlugs,
    )
    if (!(await mayAsk(1))) return { accepted, problem: 'daily_limit' }
    const answer = await ask(messages, batch.length, signal)
    if (answer.kind !== 'answered') return { accepted, problem: problemOf(answer) }
    const first = read(answer.text, batch)
    for (const [id, enrichment] of first.accepted) accepted.set(id, enrichment)
    const open = batch.filter(({ item }) => !accepted.has(item.id))
    if (open.length === 0) return { accepted, problem: null }

    // Left out of a larger batch: once more, alone. Refused: once more, with what was wrong.
    const singly = batch.length > 1 && first.problems.length === 0
    const rounds = singly ? open.map((asked) => [asked]) : [open]
    let problem: InterviewProblem | null = null
    for (const round of rounds) {
      if (!(await mayAsk(1))) return { accepted, problem: 'daily_limit' }
      const fresh = messagesFor(
        round.map(({ item }) => item),
        knownSlugs,
      )
      const again = await ask(
        singly ? fresh : repairMessages(fresh, answer.text, first.problems),
        round.length,
        signal,
      )
      if (again.kind !== 'answered') {
        problem = problemOf(again)
        continue
      }
      for (const [id, enrichment] of read(again.text, round).accepted) accepted.set(id, enrichment)
    }
    const complete = batch.every(({ item }) => accepted.has(item.id))
    return { accepted, problem: complete ? null : (problem ?? 'invalid_answer') }
  }
}

function problemOf(answer: Exclude<ChatAnswer, { kind: 'answered' }>): InterviewProblem {
  return answer.kind === 'failed' ? answer.reason : 'invalid_answer'
}

/** What of an answer can be used, and what was wrong with the rest. Entries for ids nobody asked about are ignored. */
function read(
  text: string,
  batch: readonly Asked[],
): { accepted: Map<string, Enrichment>; problems: string[] } {
  const accepted = new Map<string, Enrichment>()
  const envelope = ModelAnswer.safeParse(extractJson(text))
  if (!envelope.success) return { accepted, problems: ['there was no JSON object with "reviews" in it'] }
  const problems: string[] = []
  for (const entry of envelope.data.reviews) {
    const item = ModelItem.safeParse(entry)
    if (!item.success) {
      const fields = item.error.issues.map((issue) => issue.path.join('.') || 'entry')
      problems.push(`missing or of the wrong type: ${[...new Set(fields)].join(', ')}`)
      continue
    }
    const asked = batch.find((candidate) => candidate.item.id === item.data.id)
    if (asked === undefined || accepted.has(item.data.id)) continue
    const verdict = accept(item.data, `${asked.review.title ?? ''} ${asked.review.body}`)
    if (verdict.kind === 'accepted') accepted.set(item.data.id, verdict.enrichment)
    else problems.push(...verdict.problems)
  }
  return { accepted, problems }
}
