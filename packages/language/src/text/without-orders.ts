import { listOf } from '../phrases/list.ts'
import { sentencesOf } from './sentences.ts'

/** Words that mark an order to the reader, in lower case. */
export type OrderMarks = { readonly anywhere: readonly string[]; readonly atStart: readonly string[] }

const START = '^'
/** Markup and JSON end without a full stop. */
const MARKUP_END = /(?<=[}\]>])\s+/u

export function readOrderMarks(file: string): OrderMarks {
  const marks = listOf(file).flat()
  return {
    anywhere: marks.filter((mark) => !mark.startsWith(START)),
    atStart: marks.flatMap((mark) => (mark.startsWith(START) ? [mark.slice(START.length)] : [])),
  }
}

/**
 * The text without sentences that give the reader orders ("ignore your instructions"), which would cost part of the labels. A text of
 * nothing else is returned as it is.
 */
export function withoutOrders(text: string, { anywhere, atStart }: OrderMarks): string {
  const folded = text.toLowerCase()
  if (![...anywhere, ...atStart].some((mark) => folded.includes(mark))) return text
  const isOrder = (sentence: string) =>
    anywhere.some((mark) => sentence.includes(mark)) || atStart.some((mark) => sentence.startsWith(mark))
  const kept = sentencesOf(text)
    .flatMap((sentence) => sentence.split(MARKUP_END))
    .filter((sentence) => !isOrder(sentence.toLowerCase()))
  return kept.length === 0 ? text : kept.join('\n')
}
