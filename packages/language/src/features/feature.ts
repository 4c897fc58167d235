import type { Theme } from '../../../../src/model/vocabulary.ts'

/** A feature that people request, with names in all languages. */
export type Feature = {
  /** Its name in the word lists. */
  readonly slug: string
  /** The `feature_slug` of events. Differs from `slug` for features that count as the same request. */
  readonly reportedAs: string
  readonly label: string
  readonly theme: Theme | null
  /** A more specific feature in the same sentence takes precedence: PDF export over export. */
  readonly isGeneral: boolean
}
