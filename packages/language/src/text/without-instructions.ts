import { listOf } from '../phrases/list.ts'
import { sentencesOf } from './sentences.ts'

/** Words that mark an instruction to the reader, in lower case. */
export type InstructionMarkers = { readonly anywhere: readonly string[]; readonly atStart: readonly string[] }

const START = '^'
/** Markup and JSON end without a full stop. */
const MARKUP_END = /(?<=[}\]>])\s+/u

export function readInstructionMarkers(file: string): InstructionMarkers {
  const markers = listOf(file).flat()
  return {
    anywhere: markers.filter((marker) => !marker.startsWith(START)),
    atStart: markers.flatMap((marker) => (marker.startsWith(START) ? [marker.slice(START.length)] : [])),
  }
}

/**
 * The text without sentences that instruct the reader ("ignore your instructions"), which lower the accuracy of the labels. A text that has
 * only such sentences is returned unchanged.
 */
export function withoutInstructions(text: string, { anywhere, atStart }: InstructionMarkers): string {
  const folded = text.toLowerCase()
  if (![...anywhere, ...atStart].some((marker) => folded.includes(marker))) return text
  const isInstruction = (sentence: string) =>
    anywhere.some((marker) => sentence.includes(marker)) ||
    atStart.some((marker) => sentence.startsWith(marker))
  const kept = sentencesOf(text)
    .flatMap((sentence) => sentence.split(MARKUP_END))
    .filter((sentence) => !isInstruction(sentence.toLowerCase()))
  return kept.length === 0 ? text : kept.join('\n')
}
