import type { SecondFactor, UserStore } from '../../operations/accounts/users.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Auth } from './better-auth.ts'
import { TRUST_PREFIX } from './second-factor-plugin.ts'

/** Longer than a code is valid: 30 seconds, and the same before and after for clocks that differ. */
const USED_CODE_MS = 120_000

type SecondFactorStore = Pick<
  UserStore,
  'secondFactor' | 'withSecondFactor' | 'forgetTrustedBrowsers' | 'removeSecondFactor'
>

export function secondFactorStore(auth: Auth): SecondFactorStore {
  const withSecondFactor: UserStore['withSecondFactor'] = async (userIds) => {
    if (userIds.length === 0) return new Set()
    const { adapter } = await auth.$context
    const found = await adapter.findMany<{ id: string }>({
      model: 'user',
      where: [
        { field: 'id', operator: 'in', value: [...userIds] },
        { field: 'twoFactorEnabled', value: true },
      ],
      limit: userIds.length,
    })
    return new Set(found.map(({ id }) => id))
  }

  return {
    withSecondFactor,

    async secondFactor(userId): Promise<SecondFactor> {
      if (!(await withSecondFactor([userId])).has(userId)) {
        return { isOn: false, backupCodesLeft: 0, trustedBrowsers: 0 }
      }
      const { adapter } = await auth.$context
      const [{ backupCodes }, trustedBrowsers] = await Promise.all([
        auth.api.viewBackupCodes({ body: { userId } }),
        adapter.count({
          model: 'verification',
          where: [
            ...trustOf(userId),
            { field: 'expiresAt', operator: 'gt' as const, value: systemClock.now() },
          ],
        }),
      ])
      return { isOn: true, backupCodesLeft: backupCodes.length, trustedBrowsers }
    },

    async forgetTrustedBrowsers(userId) {
      const { adapter } = await auth.$context
      await adapter.deleteMany({ model: 'verification', where: trustOf(userId) })
    },

    async removeSecondFactor(userId) {
      const { adapter, internalAdapter } = await auth.$context
      const had = (await withSecondFactor([userId])).has(userId)
      await internalAdapter.updateUser(userId, { twoFactorEnabled: false })
      await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] })
      await adapter.deleteMany({ model: 'verification', where: trustOf(userId) })
      if (had) await internalAdapter.deleteUserSessions(userId)
      return had
    },
  }
}

function trustOf(userId: string) {
  return [
    { field: 'value', value: userId },
    { field: 'identifier', operator: 'starts_with' as const, value: TRUST_PREFIX },
  ]
}

/** Codes of authenticator apps. Each is accepted once, so that one who saw it being entered cannot use it too. */
export function usedCodes(auth: Auth) {
  const identifierOf = (userId: string, code: string) => `used-code:${userId}:${code}`
  return {
    /** True for one caller until `release`, also when two requests with the code arrive together. */
    async reserve(userId: string, code: string): Promise<boolean> {
      const { internalAdapter } = await auth.$context
      return internalAdapter.reserveVerificationValue({
        identifier: identifierOf(userId, code),
        value: 'used',
        expiresAt: new Date(systemClock.now().getTime() + USED_CODE_MS),
      })
    },

    /** For a code that was not accepted. */
    async release(userId: string, code: string): Promise<void> {
      const { internalAdapter } = await auth.$context
      await internalAdapter.deleteVerificationByIdentifier(identifierOf(userId, code))
    },
  }
}
