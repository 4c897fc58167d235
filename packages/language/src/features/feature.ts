import type { Theme } from '../../../../src/model/vocabulary.ts'

/** A capability people ask for, known in all languages. */
export type Feature = {
  /** What the tables know it by. */
  readonly slug: string
  /** What programs get: nearly always the same; some features have names of their own, but are one request. */
  readonly reportedAs: string
  readonly label: string
  readonly theme: Theme | null
  /** A more exact feature named beside it is meant: PDF export rather than export. */
  readonly isGeneral: boolean
}
