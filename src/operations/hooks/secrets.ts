import { OVERLAP_HOURS } from '../../model/hook-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import { requireInRange } from '../in-range.ts'
import { type Changer, noSuchHook, requireManaged } from '../require-hook.ts'
import { rotatedSecrets } from './rotated-secrets.ts'

export type SecretDeps = {
  readonly hooks: Pick<HookStorage, 'get' | 'update'>
  readonly clock: Clock
  readonly sealer: Sealer
  readonly newSecret: () => string
}

const HOUR_MS = 3_600_000

/** Returns the new secret. The replaced one keeps signing for `overlapHours`. */
export async function rotateSecret(
  { hooks, clock, sealer, newSecret }: SecretDeps,
  accountId: string,
  id: string,
  overlapHours: number,
  by: Changer,
): Promise<string> {
  await requireManaged(hooks, accountId, id, by)
  requireInRange('overlapHours', overlapHours, OVERLAP_HOURS)
  const secret = newSecret()
  const sealed = sealer.seal(secret, id)
  const now = clock.now()
  const changed = await hooks.update(accountId, id, {
    secrets: (stored) => rotatedSecrets(stored, sealed, overlapHours * HOUR_MS, now),
  })
  if (changed === null) throw noSuchHook()
  return secret
}

/** Only the current secret signs from now on. */
export async function revokeOldSecrets(
  { hooks }: Pick<SecretDeps, 'hooks'>,
  accountId: string,
  id: string,
  by: Changer,
): Promise<void> {
  await requireManaged(hooks, accountId, id, by)
  const changed = await hooks.update(accountId, id, { secrets: (stored) => stored.slice(0, 1) })
  if (changed === null) throw noSuchHook()
}
