/** A shorter piece is joined to the sentence before it. */
const CHARS_MIN = 6

/** Before white space after Latin marks, so that 3.5 and "!!!" stay whole; anywhere after the marks of Japanese and Hindi; before a line. */
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
