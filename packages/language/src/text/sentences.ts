/** A shorter piece is joined to the sentence before it. */
const CHARS_MIN = 6

/** White space after Latin marks, so that 3.5 and "!!!" stay whole; anything after the marks of Japanese and after a line. */
const END = /(?<=[.!?…])\s+|(?<=[。！？\n])(?![。！？])\s*/u

/** The sentences of a normalised text, in order. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(END)) {
    const sentence = piece.trim()
    const last = sentences.at(-1)
    if (last !== undefined && sentence.length < CHARS_MIN)
      sentences[sentences.length - 1] = `${last} ${sentence}`
    else if (sentence !== '') sentences.push(sentence)
  }
  return sentences
}
