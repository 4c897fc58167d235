import { cosineOf } from './vector.ts'

/** A review of a problem, as its title needs it. `summary` is the English one of its enrichment. */
export type TitledReview = { readonly vector: Int8Array; readonly summary: string; readonly language: string }

/** A summary that starts so says nothing about the text. */
const EMPTY = /^(?:A review (?:in|without)|\d of 5 stars)/u
/** A summary that starts so names a mood; another review of the problem says more. */
const VAGUE = /^(?:Dissatisfied|Reports a problem|Comments on the app|Asks for a new feature)\b/u

/**
 * The title of a problem: the summary of the review that is most like all the others, so it says nothing that no review says. English
 * reviews come first, because their summaries are their own words. Null when no review was read.
 */
export function titleOf(reviews: readonly TitledReview[]): string | null {
  const readable = reviews.filter(({ summary }) => summary !== '' && !EMPTY.test(summary))
  const ranks = [
    readable.filter(({ language, summary }) => language === 'en' && !VAGUE.test(summary)),
    readable.filter(({ summary }) => !VAGUE.test(summary)),
    readable,
  ]
  let best: string | null = null
  let most = Number.NEGATIVE_INFINITY
  for (const { vector, summary } of ranks.find(({ length }) => length > 0) ?? []) {
    const mean = reviews.reduce((sum, other) => sum + cosineOf(vector, other.vector), 0) / reviews.length
    if (mean > most) {
      most = mean
      best = summary
    }
  }
  return best
}
