import type { BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { z } from 'zod'
import { randomCode } from '../../operations/accounts/setup-code.ts'
import type { User } from '../../operations/accounts/users.ts'
import { presentUser } from './stored-email.ts'

/** The time to enter the code after the password. */
const CHALLENGE_S = 10 * 60
const TRUST_S = 30 * 24 * 3_600
/** Wrong codes in a row, over all started sign-ins of the user; each of these takes five. They lock the code, not the sessions. */
const FAILURES_MAX = 10
const LOCK_S = 15 * 60

const BACKUP_CODES = 10
const BACKUP_CODE_GROUPS = 2
const BACKUP_CODE_GROUP_CHARS = 5

/** The library looks a trusted browser up by this prefix and a random id. */
export const TRUST_PREFIX = 'trust-device-'
/** A second factor: time-based codes (TOTP, RFC 6238) and backup codes, both encrypted in the database. */
export function secondFactorPlugin(publicUrl: string) {
  return twoFactor({
    // Shown in the app beside the e-mail address: a person may use several installations.
    issuer: `Review Radar (${new URL(publicUrl).hostname})`,
    twoFactorCookieMaxAge: CHALLENGE_S,
    trustDeviceMaxAge: TRUST_S,
    accountLockout: { maxFailedAttempts: FAILURES_MAX, durationSeconds: LOCK_S },
    backupCodeOptions: {
      customBackupCodesGenerate: () =>
        Array.from({ length: BACKUP_CODES }, () => randomCode(BACKUP_CODE_GROUPS, BACKUP_CODE_GROUP_CHARS)),
    },
    schema: { twoFactor: { modelName: 'auth_second_factors' } },
  })
}

/** Endpoints of the service itself, which are not reachable by HTTP. */
export const servicePlugin = {
  id: 'radar',
  schema: {
    passkey: {
      modelName: 'auth_passkeys',
      fields: {
        name: { type: 'string', required: true },
        userId: {
          type: 'string',
          required: true,
          references: { model: 'user', field: 'id', onDelete: 'cascade' },
          index: true,
        },
        credentialId: { type: 'string', required: true, unique: true },
        publicKey: { type: 'string', required: true },
        counter: { type: 'number', required: true },
        transports: { type: 'string', required: true },
        createdAt: { type: 'date', required: true },
        lastUsedAt: { type: 'date', required: false },
      },
    },
  },
  endpoints: {
    /** Begins a session of a user whom the service has identified. */
    openSession: createAuthEndpoint.serverOnly(
      {
        method: 'POST',
        requireHeaders: true,
        body: z.object({ userId: z.string(), accountId: z.string().nullable() }),
      },
      async (ctx): Promise<null> => {
        const { internalAdapter } = ctx.context
        const user = await internalAdapter.findUserById(ctx.body.userId)
        if (user === null) throw new Error('a session needs a user')
        const { accountId } = ctx.body
        const session = await internalAdapter.createSession(user.id, false, { accountId })
        await setSessionCookie(ctx, { session, user })
        return null
      },
    ),

    /** Tells to whom a sign-in belongs whose password was right and whose code is missing. */
    challengedUser: createAuthEndpoint.serverOnly(
      { method: 'GET', requireHeaders: true },
      async (ctx): Promise<User | null> => {
        const { internalAdapter, createAuthCookie, secret } = ctx.context
        const identifier = await ctx.getSignedCookie(createAuthCookie('two_factor').name, secret)
        const challenge = identifier ? await internalAdapter.findVerificationValue(identifier) : null
        const user = challenge === null ? null : await internalAdapter.findUserById(challenge.value)
        return user === null ? null : presentUser(user)
      },
    ),
  },
} satisfies BetterAuthPlugin

/** The form in which a backup code is stored, of one in any case, with or without its dash. */
export function backupCodeOf(text: string): string {
  const letters = text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return `${letters.slice(0, BACKUP_CODE_GROUP_CHARS)}-${letters.slice(BACKUP_CODE_GROUP_CHARS)}`
}
