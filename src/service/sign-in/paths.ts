import type { AuthFields } from '../../api/console/sign-in.ts'
import { backupCodeOf } from './second-factor-plugin.ts'

/** An endpoint of better-auth that the console uses. */
export type AuthPath = {
  /** The fields of the request that are passed on. */
  readonly fields: readonly string[]
  /** The fields of a success that the console needs. The whole body may contain the session's token, which scripts do not need. */
  readonly shown?: (body: Readonly<Record<string, unknown>>) => AuthFields
  /** The stored form of what a person enters as `code`. */
  readonly codeOf?: (text: string) => string
}

export const RESET_PASSWORD_PATH = '/reset-password'
export const VERIFY_CODE_PATH = '/two-factor/verify-totp'

/** All others answer 404. */
export const PATHS: ReadonlyMap<string, AuthPath> = new Map<string, AuthPath>([
  [
    '/sign-in/email',
    {
      fields: ['email', 'password', 'rememberMe'],
      shown: ({ twoFactorRedirect }) => (twoFactorRedirect === true ? { needsSecondFactor: true } : {}),
    },
  ],
  ['/sign-out', { fields: [] }],
  ['/change-password', { fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'] }],
  ['/revoke-sessions', { fields: [] }],
  ['/revoke-other-sessions', { fields: [] }],
  [RESET_PASSWORD_PATH, { fields: ['token', 'newPassword'] }],
  [
    '/two-factor/enable',
    {
      fields: ['password'],
      shown: ({ totpURI, backupCodes }) => ({ uri: String(totpURI), backupCodes: textsOf(backupCodes) }),
    },
  ],
  ['/two-factor/disable', { fields: ['password'] }],
  [
    '/two-factor/generate-backup-codes',
    { fields: ['password'], shown: ({ backupCodes }) => ({ backupCodes: textsOf(backupCodes) }) },
  ],
  [VERIFY_CODE_PATH, { fields: ['code', 'trustDevice'], codeOf: (text) => text.replace(/\s/g, '') }],
  ['/two-factor/verify-backup-code', { fields: ['code', 'trustDevice'], codeOf: backupCodeOf }],
])

/** The fields of a request that its endpoint gets. */
export function passedOn(path: AuthPath, body: unknown): Record<string, unknown> {
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const fields = Object.fromEntries(
    path.fields.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  )
  return path.codeOf !== undefined && typeof fields.code === 'string'
    ? { ...fields, code: path.codeOf(fields.code) }
    : fields
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
