import { hkdfSync } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { basePathOf } from '../../model/base-path.ts'
import { PASSWORD_CHARS } from '../../model/input-limits.ts'
import type { Log } from '../../runtime/log.ts'
import type { AuthDatabase } from '../../storage/auth-database.ts'
import { isDiskFull } from '../../storage/port/errors.ts'
import { secondFactorPlugin, servicePlugin, TRUST_PREFIX } from './second-factor-plugin.ts'

export const AUTH_PATH = '/api/console/auth'

/** The header that passes the peer's address to better-auth; a client's header of this name is removed. */
export const CLIENT_ADDRESS_HEADER = 'x-radar-client-address'

/** 30 days, extended once a day while the session is in use. */
const SESSION_S = 30 * 24 * 3_600
const SESSION_EXTENSION_S = 24 * 3_600

export type AuthOptions = {
  readonly database: AuthDatabase
  readonly secretKey: Uint8Array
  /** The URL for browsers. */
  readonly publicUrl: string
  /** The listening URL, for browsers on this machine. */
  readonly localUrl: string
  readonly log: Log
}

export type Auth = ReturnType<typeof createAuth>

/** better-auth on the service's database, with e-mail and password and without its sign-up endpoint. Its tables are `auth_*`. */
export function createAuth(options: AuthOptions) {
  return betterAuth(optionsOf(options))
}

/** Creates or migrates the tables. */
export async function migrateAuth(options: AuthOptions): Promise<void> {
  await options.database.alone(async () => {
    const { runMigrations } = await getMigrations(optionsOf(options))
    await runMigrations()
  })
}

function optionsOf({ database, secretKey, publicUrl, localUrl, log }: AuthOptions) {
  return {
    appName: 'Review Radar',
    baseURL: new URL(publicUrl).origin,
    basePath: AUTH_PATH,
    secret: Buffer.from(hkdfSync('sha256', secretKey, '', 'review-radar sign-in', 32)).toString('base64'),
    database: database.database,
    trustedOrigins: [...new Set([new URL(publicUrl).origin, new URL(localUrl).origin])],
    telemetry: { enabled: false },
    logger: {
      disableColors: true,
      level: 'warn',
      log: (level, message) => log.debug('sign_in.library_message', { level, detail: message }),
    },
    onAPIError: {
      // The library would answer 500 without a reason.
      onError: (error) => {
        if (isDiskFull(error)) throw error
        const detail = error instanceof Error ? error.message : String(error)
        log.debug('sign_in.library_message', { level: 'error', detail })
      },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      autoSignIn: false,
      minPasswordLength: PASSWORD_CHARS.min,
      maxPasswordLength: PASSWORD_CHARS.max,
      // Signs out everyone who knew the old password.
      revokeSessionsOnPasswordReset: true,
    },
    user: { modelName: 'auth_users' },
    account: { modelName: 'auth_passwords' },
    verification: {
      modelName: 'auth_verifications',
      // The database has only hashes of the tokens in links. The ids of trusted browsers are found by their prefix, and are of no use
      // without the signature that the browser has.
      storeIdentifier: { default: 'hashed', overrides: { [TRUST_PREFIX]: 'plain' } },
    },
    plugins: [secondFactorPlugin(publicUrl), servicePlugin],
    session: {
      modelName: 'auth_sessions',
      expiresIn: SESSION_S,
      updateAge: SESSION_EXTENSION_S,
      // Without a cache, so that a revoked session ends at once.
      cookieCache: { enabled: false },
      additionalFields: {
        // The account that the session has entered. Null for a user of one account.
        accountId: { type: 'string', required: false, input: false },
      },
    },
    databaseHooks: {
      session: {
        create: {
          // The library replaces a session when its user changes the password.
          before: async (session, context) => {
            const replaced = context?.context.session?.session
            if (replaced?.userId !== session.userId || session.accountId) return
            return { data: { ...session, accountId: replaced.accountId } }
          },
        },
      },
    },
    // The service limits attempts, in a table of bounded size.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'radar',
      useSecureCookies: publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: basePathOf(publicUrl) || '/' },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  } satisfies BetterAuthOptions
}
