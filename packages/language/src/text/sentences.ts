/** A shorter piece is joined to the previous sentence. */
const CHARS_MIN = 6

/**
 * After Latin punctuation only before white space, so that 3.5 and "!!!" are not split; after Japanese and Hindi punctuation; at a line
 * end.
 */
const END = /(?<=[.!?…])(?=\s)|(?<=[。！？।])(?![。！？।])|(?=\n)/u

/** The sentences of a normalised text, in order. */
export function sentencesOf(text: string): string[] {
  return spacedSentencesOf(text).map((sentence) => sentence.trim())
}

/** The same, each with the white space around it: joined, they are the text. */
export function spacedSentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(END)) {
    const last = sentences.at(-1)
    if (last !== undefined && (piece.trim().length < CHARS_MIN || last.trim() === ''))
      sentences[sentences.length - 1] = last + piece
    else sentences.push(piece)
  }
  return sentences.filter((sentence) => sentence.trim() !== '')
}
