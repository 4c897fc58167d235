import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames } from '../../../model/review.ts'
import type { ReviewToRead } from '../enricher.ts'
import { accept } from './accept.ts'
import { ANSWER_JSON_SCHEMA, ModelAnswer, ModelItem } from './answer-schema.ts'
import type { AnswerShape } from './chat.ts'
import { type ChatFailure, type CompletionDeps, createCompletion } from './completion.ts'
import { extractJson } from './extract-json.ts'
import { type ChatMessage, messagesFor, type PromptItem, repairMessages } from './prompt.ts'

/** Output tokens. */
const TOKENS = { base: 1_500, perReview: 350 }

const shapeFor = (reviews: number): AnswerShape => ({
  name: 'labelled_reviews',
  schema: ANSWER_JSON_SCHEMA,
  tokensMax: TOKENS.base + reviews * TOKENS.perReview,
})

export type BatchItem = { readonly at: number; readonly review: ReviewToRead; readonly item: PromptItem }

export type BatchProblem = ChatFailure['reason'] | 'invalid_answer' | 'daily_limit'

export type BatchOutcome = {
  readonly accepted: ReadonlyMap<string, Enrichment>
  /** The last failure; null when every review was accepted. */
  readonly problem: BatchProblem | null
}

type LabelBatch = (
  batch: readonly BatchItem[],
  app: { readonly names: AppNames | null; readonly knownSlugs: readonly string[] },
  mayRequest: (requests: number) => Promise<boolean>,
  signal: AbortSignal,
) => Promise<BatchOutcome>

/**
 * Requests enrichments for one batch of reviews of one app. A second request lists the problems of rejected entries.
 * Reviews missing from the answer of a larger batch get one request each. Rejected formats and parameters cost more
 * requests until the server's limits are known.
 */
export function createBatchLabeler(deps: CompletionDeps): LabelBatch {
  const complete = createCompletion(deps)
  const requestCompletion = (messages: readonly ChatMessage[], reviews: number, signal: AbortSignal) =>
    complete(messages, shapeFor(reviews), signal)

  return async (batch, app, mayRequest, signal) => {
    const accepted = new Map<string, Enrichment>()
    const messages = messagesFor(
      batch.map(({ item }) => item),
      app,
    )
    if (!(await mayRequest(1))) return { accepted, problem: 'daily_limit' }
    const answer = await requestCompletion(messages, batch.length, signal)
    if (answer.kind !== 'answered') return { accepted, problem: answer.reason }
    const first = read(answer.text, batch)
    for (const [id, enrichment] of first.accepted) accepted.set(id, enrichment)
    const open = batch.filter(({ item }) => !accepted.has(item.id))
    if (open.length === 0) return { accepted, problem: null }

    // Missing from a larger batch: request it alone. Rejected: request it again with the problems.
    const isSingle = batch.length > 1 && first.problems.length === 0
    const rounds = isSingle ? open.map((entry) => [entry]) : [open]
    let problem: BatchProblem | null = null
    for (const round of rounds) {
      if (!(await mayRequest(1))) return { accepted, problem: 'daily_limit' }
      const newMessages = messagesFor(
        round.map(({ item }) => item),
        app,
      )
      const again = await requestCompletion(
        isSingle ? newMessages : repairMessages(newMessages, answer.text, first.problems),
        round.length,
        signal,
      )
      if (again.kind !== 'answered') {
        problem = again.reason
        continue
      }
      for (const [id, enrichment] of read(again.text, round).accepted) accepted.set(id, enrichment)
    }
    const isComplete = batch.every(({ item }) => accepted.has(item.id))
    return { accepted, problem: isComplete ? null : (problem ?? 'invalid_answer') }
  }
}

/** The usable entries of an answer, and the problems of the others. Entries with unknown ids are ignored. */
function read(
  text: string,
  batch: readonly BatchItem[],
): { accepted: Map<string, Enrichment>; problems: string[] } {
  const accepted = new Map<string, Enrichment>()
  const envelope = ModelAnswer.safeParse(extractJson(text))
  if (!envelope.success) return { accepted, problems: ['there was no JSON object with "reviews"'] }
  const problems: string[] = []
  for (const entry of envelope.data.reviews) {
    const item = ModelItem.safeParse(entry)
    if (!item.success) {
      const fields = item.error.issues.map((issue) => issue.path.join('.') || 'entry')
      problems.push(`missing or of the wrong type: ${[...new Set(fields)].join(', ')}`)
      continue
    }
    const requested = batch.find((candidate) => candidate.item.id === item.data.id)
    if (requested === undefined || accepted.has(item.data.id)) continue
    const verdict = accept(item.data, requested.review)
    if (verdict.kind === 'accepted') accepted.set(item.data.id, verdict.enrichment)
    else problems.push(...verdict.problems)
  }
  return { accepted, problems }
}
