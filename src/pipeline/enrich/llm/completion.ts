import type { Clock } from '../../../runtime/clock.ts'
import type { Log } from '../../../runtime/log.ts'
import { type AnswerShape, type ChatAnswer, type ChatDeps, chat, OUTPUT_FORMATS } from './chat.ts'
import type { ChatMessage } from './prompt.ts'
import { createServerLimits, PARAMETERS } from './server-limits.ts'

/** The timeout of one request. The caller's deadline may abort it earlier. */
const TIMEOUT_MS = 40_000

export type CompletionDeps = ChatDeps & { readonly log: Log; readonly clock: Clock }
export type ChatFailure = Extract<ChatAnswer, { kind: 'failed' }>
type Answered = Extract<ChatAnswer, { kind: 'answered' }>

type Complete = (
  messages: readonly ChatMessage[],
  shape: AnswerShape,
  signal: AbortSignal,
) => Promise<Answered | ChatFailure>

/**
 * Requests the strictest format known to work, and weaker ones after a rejection. A weaker format that works is used
 * from then on. If all are rejected, the text is the cause.
 */
export function createCompletion(deps: CompletionDeps): Complete {
  const limits = createServerLimits()
  return async (messages, shape, signal) => {
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
        shape,
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
}
