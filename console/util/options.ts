import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import { languageName, storefrontName } from './storefronts.ts'
import { inWords } from './words.ts'

/** What selects offer. */
export type Option = { readonly value: string; readonly label: string }

export const STOREFRONT_OPTIONS = STOREFRONTS.map((code) => ({ value: code, label: storefrontName(code) }))

/** Those that reviews of the sixteen storefronts are mostly written in. */
export const LANGUAGE_OPTIONS = ['en', 'de', 'fr', 'es', 'it', 'nl', 'sv', 'pt', 'ja', 'ko', 'hi'].map(
  (code) => ({ value: code, label: languageName(code) }),
)

/** The members of a vocabulary, in words. */
export function optionsOf(names: readonly string[]): Option[] {
  return names.map((name) => ({ value: name, label: inWords(name) }))
}
