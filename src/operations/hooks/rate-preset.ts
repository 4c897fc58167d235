import type { Hook } from '../../model/hook.ts'
import { type HookTarget, typePaceOf } from './target.ts'

/** Requests per second. Zapier accepts at most 30 to one hook; 25 and the burst stay within that. */
const PRESETS: ReadonlyMap<string, number> = new Map([['hooks.zapier.com', 25]])

/** The rate that a target is known to accept, in requests per second; null when none is known. */
export function ratePresetOf({
  targetType,
  targetUrl,
}: Pick<Hook, 'targetType' | 'targetUrl'>): number | null {
  return typePaceOf(targetType) ?? PRESETS.get(URL.parse(targetUrl)?.hostname ?? '') ?? null
}

/** The rate of a hook whose new target has another known rate; undefined leaves it unchanged, such as one that people chose. */
export function rateAfterMove(hook: Hook, target: HookTarget | undefined): number | null | undefined {
  if (target === undefined) return undefined
  const before = ratePresetOf(hook)
  if (target.targetType !== hook.targetType) {
    return hook.ratePerSecond === null || hook.ratePerSecond === before ? ratePresetOf(target) : undefined
  }
  if (hook.ratePerSecond !== null || before !== null) return undefined
  return ratePresetOf(target) ?? undefined
}
