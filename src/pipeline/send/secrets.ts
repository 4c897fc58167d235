import { LRUCache } from 'lru-cache'
import type { SealedSecret } from '../../model/hook.ts'

/** Opened secrets kept in memory. Chosen: those of 10,000 hooks take about 2 MB. */
const OPENED_MAX = 10_000

/**
 * Opens the secrets of a hook that are in force at `now`, current first. Opened secrets are cached, since opening costs
 * as much as signing. Throws when a secret was sealed under another key.
 */
export function createSecretOpener(openSecret: (sealed: string, hookId: string) => string) {
  const opened = new LRUCache<string, string>({ max: OPENED_MAX })
  return (
    { hookId, secrets }: { readonly hookId: string; readonly secrets: readonly SealedSecret[] },
    now: Date,
  ): string[] =>
    secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ sealed }) => {
        // A sealed secret opens for its own hook only, also from the cache.
        const key = `${hookId} ${sealed}`
        const cached = opened.get(key)
        if (cached !== undefined) return cached
        const secret = openSecret(sealed, hookId)
        opened.set(key, secret)
        return secret
      })
}
