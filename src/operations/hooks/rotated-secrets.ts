import type { SealedSecret } from '../../model/hook.ts'

/** Secrets of a hook: the current one and those within their overlap. */
const SECRETS_MAX = 3

/**
 * The secrets after a rotation, the new one first. The one it replaces keeps signing for `overlapMs`; with 0 all old
 * ones are revoked. Secrets replaced earlier keep their expiry.
 */
export function rotatedSecrets(
  secrets: readonly SealedSecret[],
  sealed: string,
  overlapMs: number,
  now: Date,
): SealedSecret[] {
  if (overlapMs <= 0) return [{ sealed, expiresAt: null }]
  const overlapEnd = new Date(now.getTime() + overlapMs)
  const old = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? overlapEnd }))
  return [{ sealed, expiresAt: null }, ...old].slice(0, SECRETS_MAX)
}
