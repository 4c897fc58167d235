/** The longest repeated phrase that is found, and how many repetitions are kept. */
const PHRASE_WORDS_MAX = 6
const KEPT = 2

/** Reduces a phrase of up to six words repeated in a row to two repetitions: the training data has no such reviews. */
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
