import {
  ANSWER_STATE_NAMES,
  displayName,
  LANGUAGE_NAMES,
  SENTIMENT_NAMES,
  SEVERITY_NAMES,
  THEME_NAMES,
} from '../../src/contract/console/display-names.ts'
import { storefrontName } from '../../src/contract/console/market-names.ts'
import { ANSWER_STATES } from '../../src/model/reply.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'

/** An option of a select. */
export type Option<T extends string = string> = { readonly value: T; readonly label: string }

/** The codes of a vocabulary with their names. */
export function optionsOf<T extends string>(
  codes: readonly T[],
  names: Readonly<Record<string, string>>,
): Option<T>[] {
  return codes.map((code) => ({ value: code, label: displayName(names, code) }))
}

export const ANSWER_OPTIONS = optionsOf(ANSWER_STATES, ANSWER_STATE_NAMES)
export const SENTIMENT_OPTIONS = optionsOf(SENTIMENTS, SENTIMENT_NAMES)
export const SEVERITY_OPTIONS = optionsOf(SEVERITIES, SEVERITY_NAMES)
export const THEME_OPTIONS = optionsOf(THEMES, THEME_NAMES)
export const STOREFRONT_OPTIONS = STOREFRONTS.map((code) => ({ value: code, label: storefrontName(code) }))
export const LANGUAGE_OPTIONS = optionsOf(Object.keys(LANGUAGE_NAMES), LANGUAGE_NAMES)
