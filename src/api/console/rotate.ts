import type { SealedSecret } from '../../model/hook.ts'

/** A hook's secrets at most: the current one and those still within their overlap. */
const SECRETS_MAX = 3

/**
 * The secrets after a rotation, the new one first. The one it replaces signs along for `overlapMs`; with 0 every old
 * one is revoked at once. Those of earlier rotations keep their end.
 */
export function rotated(
  secrets: readonly SealedSecret[],
  sealed: string,
  overlapMs: number,
  now: Date,
): SealedSecret[] {
  if (overlapMs <= 0) return [{ sealed, expiresAt: null }]
  const over = new Date(now.getTime() + overlapMs)
  const old = secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map((secret) => ({ ...secret, expiresAt: secret.expiresAt ?? over }))
  return [{ sealed, expiresAt: null }, ...old].slice(0, SECRETS_MAX)
}
