import type { RedirectRule } from './redirects.ts'

/** Settings of a hook with a default. A new one needs a column and a field of the API. */
export type HookOptions = {
  /** Whether requests have the headers of CloudEvents (docs/contract.md, CloudEvents). */
  readonly cloudEvents: boolean
  /** Whether a redirect is success (docs/contract.md, Attempts). */
  readonly redirect: RedirectRule
  /** Takes reviews written so long before a watch, if the store shows them only after it (docs/contract.md, Late reviews). */
  readonly lateReviewsHours: number
}

/** Null and absent: the default of a new hook, or no change. */
export type HookOptionsInput = {
  readonly [Option in keyof HookOptions]?: HookOptions[Option] | null | undefined
}

export const DEFAULT_HOOK_OPTIONS: HookOptions = { cloudEvents: false, redirect: 'fail', lateReviewsHours: 0 }

/** The options of `hook`, without its other values. */
export function optionsOf(hook: HookOptions): HookOptions {
  return { ...DEFAULT_HOOK_OPTIONS, ...givenOptions(hook) }
}

/** The options that `input` gives a value. */
export function givenOptions(input: HookOptionsInput): Partial<HookOptions> {
  const names = Object.keys(DEFAULT_HOOK_OPTIONS) as (keyof HookOptions)[]
  return Object.fromEntries(names.filter((name) => input[name] != null).map((name) => [name, input[name]]))
}
