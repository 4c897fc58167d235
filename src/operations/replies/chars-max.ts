import type { Store } from '../../model/vocabulary.ts'
import type { OfficialStore } from '../../pipeline/appstores/official.ts'

export const DRAFT_CHARS_MAX = 10_000

/** The most characters of an answer that the store of a review accepts. */
export function charsMaxOf(stores: readonly OfficialStore[], { store }: { readonly store: Store }): number {
  return stores.find((official) => official.store === store)?.replyCharsMax ?? DRAFT_CHARS_MAX
}
