import type { SealedSecret } from '../../model/hook.ts'
import { createBoundedCache } from '../../runtime/bounded-cache.ts'

/** Opened secrets in memory: about 2 MB. */
const OPENED_MAX = 10_000

/**
 * Opens the secrets of a hook that are valid at `now`, the current one first. Caches them, since opening costs as much
 * as signing. Throws when a secret was sealed under another key.
 */
export function createSecretOpener(openSecret: (sealed: string, hookId: string) => string) {
  const opened = createBoundedCache<string, string>(OPENED_MAX)
  return (
    { hookId, secrets }: { readonly hookId: string; readonly secrets: readonly SealedSecret[] },
    now: Date,
  ): string[] =>
    secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ sealed }) => {
        // A sealed secret opens only for its own hook, also from the cache.
        const key = `${hookId} ${sealed}`
        const cached = opened.get(key)
        if (cached !== undefined) return cached
        const secret = openSecret(sealed, hookId)
        opened.set(key, secret)
        return secret
      })
}
