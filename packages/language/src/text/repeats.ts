/** Longest repeated phrase that is looked for, and how often it stays. */
const PHRASE_WORDS_MAX = 6
const KEPT = 2

/** The text with phrases of up to six words that are repeated more than twice in a row, twice: the encoder has seen no such reviews. */
export function withoutRepeats(text: string): string {
  let words = text.split(/\s+/u)
  const count = words.length
  for (let size = 1; size <= PHRASE_WORDS_MAX; size++) words = collapsed(words, size)
  return words.length === count ? text : words.join(' ')
}

/** `same` counts the words in a row that equal the word `size` before them; linear in the words. */
function collapsed(words: readonly string[], size: number): string[] {
  const kept: string[] = []
  let same = 0
  for (const word of words) {
    same = kept.length >= size && kept[kept.length - size] === word ? same + 1 : 0
    kept.push(word)
    if (same === size * KEPT) {
      kept.length -= size
      same -= size
    }
  }
  return kept
}
