import type { Enrichment } from '../../../model/enrichment.ts'
import type { AppNames, ReviewOfApp } from '../../../model/review.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import { accept } from './accept.ts'
import { ModelAnswer, ModelItem } from './answer-schema.ts'
import { type ChatAnswer, type ChatDeps, chat, OUTPUT_FORMATS } from './chat.ts'
import { extractJson } from './extract-json.ts'
import { type ChatMessage, messagesFor, type PromptItem, repairMessages } from './prompt.ts'
import { createServerLimits, PARAMETERS } from './server-limits.ts'

/** The timeout of one request. The caller's deadline may abort it earlier. */
const TIMEOUT_MS = 40_000

export type BatchItem = { readonly at: number; readonly review: ReviewOfApp; readonly item: PromptItem }

type ChatFailure = Extract<ChatAnswer, { kind: 'failed' }>
type Answered = Extract<ChatAnswer, { kind: 'answered' }>

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
export function createBatchLabeler(
  deps: ChatDeps & { readonly log: Log; readonly clock: Clock },
): LabelBatch {
  const limits = createServerLimits()

  /**
   * Requests the strictest format known to work, and weaker ones after a rejection. A weaker format that works is used
   * from then on. If all are rejected, the text is the cause.
   */
  const requestCompletion = async (
    messages: readonly ChatMessage[],
    reviews: number,
    signal: AbortSignal,
  ): Promise<Answered | ChatFailure> => {
    const firstOutputFormat = limits.outputFormatAt(deps.clock.monotonicMs())
    let outputFormatAt = firstOutputFormat
    let isBare = false
    for (;;) {
      const outputFormat = OUTPUT_FORMATS[outputFormatAt] ?? 'prompt'
      const parameters = isBare ? [] : limits.parameters()
      const answer = await chat(deps, {
        messages,
        outputFormat,
        parameters,
        reviews,
        timeoutMs: TIMEOUT_MS,
        signal,
      })
      if (answer.kind === 'answered' && (outputFormatAt !== firstOutputFormat || outputFormatAt === 0))
        limits.settleOn(isBare ? firstOutputFormat : outputFormatAt, deps.clock.monotonicMs())
      if (answer.kind === 'answered' && isBare) PARAMETERS.forEach(limits.drop)
      if (answer.kind !== 'bad_request') return answer
      const { about, detail } = answer
      const server = { url: deps.url, model: deps.model }
      if (about.kind === 'parameter') {
        limits.drop(about.parameter)
        deps.log.info('model.parameter_refused', { ...server, parameter: about.parameter })
      } else if (about.kind === 'unknown' && outputFormat === 'prompt' && parameters.length > 0) isBare = true
      else if (about.kind === 'content' || outputFormat === 'prompt')
        return { kind: 'failed', reason: 'refused', detail }
      else {
        outputFormatAt += 1
        deps.log.info('model.format_refused', {
          ...server,
          refused: outputFormat,
          next: OUTPUT_FORMATS[outputFormatAt],
        })
      }
    }
  }

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
    const complete = batch.every(({ item }) => accepted.has(item.id))
    return { accepted, problem: complete ? null : (problem ?? 'invalid_answer') }
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
