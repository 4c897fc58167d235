import type { FormattedTargetType } from '../../../model/target.ts'
import { createBoundedCache } from '../../../runtime/bounded-cache.ts'
import { TARGETS } from '../../targets/index.ts'
import { type Mask, maskOf } from './mask.ts'

export type SealedSettings = {
  readonly accountId: string
  readonly hookId: string
  readonly targetType: FormattedTargetType
  readonly targetSettings: string
}

export type OpenedSettings =
  | {
      readonly kind: 'opened'
      readonly settings: unknown
      /** Masks the secrets of the settings. */
      readonly mask: Mask
    }
  /** The stored settings do not fit the type, so every attempt would fail until they are saved again. */
  | { readonly kind: 'invalid settings'; readonly detail: string }

/** Opened settings in memory, and for each of their KB what masks them, up to 50 KB: some MB, and 50 MB with hooks made for it. */
const OPENED_MAX = 1_000
const CHARS_PER_ENTRY = 1_024

/**
 * Opens and checks the settings of a hook. Caches them, since the check of a template fills it with sample events, which costs half as much
 * as a delivery. Throws when they were sealed under another key.
 */
export function createSettingsOpener(openSecret: (sealed: string, hookId: string) => string) {
  const opened = createBoundedCache<string, OpenedSettings>(OPENED_MAX, (_, key) =>
    Math.ceil(key.length / CHARS_PER_ENTRY),
  )
  return ({ hookId, targetType, targetSettings }: SealedSettings): OpenedSettings => {
    // Sealed settings open only for their own hook, also from the cache.
    const key = `${hookId} ${targetType} ${targetSettings}`
    const cached = opened.get(key)
    if (cached !== undefined) return cached
    const checked = checkedSettings(targetType, JSON.parse(openSecret(targetSettings, hookId)))
    opened.set(key, checked)
    return checked
  }
}

function checkedSettings(type: FormattedTargetType, stored: unknown): OpenedSettings {
  const target = TARGETS[type]
  const { data: settings, error } = target.settings.safeParse(stored)
  if (error === undefined) return { kind: 'opened', settings, mask: maskOf(settings, target.secretFields) }
  const problems = error.issues.map(({ message }) => message).join(' ')
  return {
    kind: 'invalid settings',
    detail: `The settings of the destination are not valid: ${problems} Save them again.`,
  }
}
