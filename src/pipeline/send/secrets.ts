import type { SealedSecret } from '../../model/hook.ts'

/** Opened secrets kept in memory (chosen: 10,000 hooks take about 2 MB); beyond it the memory starts anew. */
const OPENED_MAX = 10_000

/**
 * Opens the secrets of a hook that are in force at `now`, current first. Opening is kept, because it costs as much as
 * signing. Throws when a secret was sealed under another key.
 */
export function createSecretOpener(openSecret: (sealed: string, hookId: string) => string) {
  const opened = new Map<string, string>()
  return (
    { hookId, secrets }: { readonly hookId: string; readonly secrets: readonly SealedSecret[] },
    now: Date,
  ): string[] =>
    secrets
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ sealed }) => {
        // A sealed secret opens for its own hook only, from memory too.
        const key = `${hookId} ${sealed}`
        const known = opened.get(key)
        if (known !== undefined) return known
        const secret = openSecret(sealed, hookId)
        if (opened.size >= OPENED_MAX) opened.clear()
        opened.set(key, secret)
        return secret
      })
}
