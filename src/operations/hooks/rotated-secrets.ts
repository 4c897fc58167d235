import type { SealedSecret } from '../../model/hook.ts'

/** Secrets of a hook, including replaced ones that still sign. */
const SECRETS_MAX = 3

/**
 * The secrets after a rotation, the new one first. The replaced one keeps signing for `overlapMs`; 0 revokes all old secrets. Secrets
 * replaced earlier keep their expiry.
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
