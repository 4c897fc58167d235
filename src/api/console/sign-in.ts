import type { User, UserStore } from '../../operations/accounts/users.ts'

/** The user of a request, and cookies to set when its session was extended or has ended. */
export type Session = {
  readonly user: User | null
  /** Null without a session. */
  readonly sessionId: string | null
  /** The account that it has entered; null for none. */
  readonly accountId: string | null
  /** Whether the user signs in with a code after the password. */
  readonly hasSecondFactor: boolean
  readonly setCookies: readonly string[]
}

/** Users, their passwords and their sessions. */
export type SignIn = UserStore & {
  readonly sessionOf: (cookie: string | undefined) => Promise<Session>
  /** The user of a sign-in whose password was right and whose code is missing; null without one. */
  readonly challengedUser: (cookie: string | undefined) => Promise<User | null>
  /** The cookies of a new session. Throws when the password is wrong, because callers have just set it. */
  readonly open: (user: { readonly email: string; readonly password: string }) => Promise<readonly string[]>
  /**
   * The cookies of a new session of a user whom a passkey or the identity provider has identified. `accountId`: the account that it enters.
   */
  readonly openFor: (
    userId: string,
    accountId: string | null,
    browser: Pick<AuthRequest, 'clientAddress' | 'userAgent'>,
  ) => Promise<readonly string[]>
  /** Handles a request under `/api/console/auth/`. */
  readonly answer: (request: AuthRequest) => Promise<AuthAnswer>
}

export type AuthRequest = {
  /** The path after `/api/console/auth`, e.g. `/sign-in/email`. */
  readonly path: string
  readonly cookie: string | undefined
  readonly body: unknown
  readonly clientAddress: string
  readonly userAgent: string
}

export type AuthAnswer = {
  readonly status: number
  /** The error message; null after a success. */
  readonly error: string | null
  /** The field of the request that the error is about. */
  readonly field: string | null
  readonly setCookies: readonly string[]
  /** The body of a success. */
  readonly shown: AuthFields
}

/** `needsSecondFactor`: the password was right; the session begins with the code. `uri` and `backupCodes`: a new second factor. */
export type AuthFields = {
  readonly needsSecondFactor?: boolean
  readonly uri?: string
  readonly backupCodes?: readonly string[]
}
