/** Users, passwords and sessions, as the console needs them. Who does it is not known here. */

export type User = { readonly id: string; readonly name: string; readonly email: string }
export type NewUser = { readonly name: string; readonly email: string; readonly password: string }

/** A request's user, and cookies to set because its session was prolonged or is over. */
export type Session = { readonly user: User | null; readonly setCookies: readonly string[] }

export type SignIn = {
  readonly sessionOf: (cookie: string | undefined) => Promise<Session>
  /** Null when the address belongs to a user already. */
  readonly createUser: (user: NewUser) => Promise<User | null>
  /** With all that is theirs: password and sessions. */
  readonly removeUser: (userId: string) => Promise<void>
  readonly userByEmail: (email: string) => Promise<User | null>
  /** In any order; unknown ones are left out. */
  readonly users: (userIds: readonly string[]) => Promise<User[]>
  /** The cookies of a new session. Throws when the password is wrong: callers have just set it. */
  readonly open: (user: Pick<NewUser, 'email' | 'password'>) => Promise<readonly string[]>
  /** Answers a request under `/api/console/auth/`. */
  readonly answer: (request: AuthRequest) => Promise<AuthAnswer>
}

export type AuthRequest = {
  /** Behind `/api/console/auth`, e.g. `/sign-in/email`. */
  readonly path: string
  readonly cookie: string | undefined
  readonly body: unknown
  readonly clientAddress: string
  readonly userAgent: string
}

export type AuthAnswer = {
  readonly status: number
  /** A sentence; null when all went well. */
  readonly error: string | null
  readonly retryAfterS: number | null
  readonly setCookies: readonly string[]
}
