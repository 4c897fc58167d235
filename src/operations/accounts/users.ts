/** People who sign in: name, address and password. Their accounts and roles are in `people` of the storage. */
export type User = { readonly id: string; readonly name: string; readonly email: string }

/** A browser that is signed in. Address and browser are those of the sign-in; null when unknown. */
export type UserSession = {
  readonly id: string
  readonly signedInAt: Date
  /** Exact to a day. */
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly clientAddress: string | null
  readonly userAgent: string | null
}

export type NewUser = { readonly name: string; readonly email: string; readonly password: string }

export type UserStore = {
  /** Null when the address belongs to a user already. */
  readonly createUser: (user: NewUser) => Promise<User | null>
  /** Deletes the user with password and sessions. */
  readonly removeUser: (userId: string) => Promise<void>
  readonly userByEmail: (email: string) => Promise<User | null>
  /** Those that have not expired, last used first. */
  readonly sessions: (userId: string) => Promise<UserSession[]>
  /** False when the user has no such session. */
  readonly endSession: (userId: string, sessionId: string) => Promise<boolean>
  /** The token with which a new password can be set once. Setting it ends all sessions of the user. */
  readonly createPasswordReset: (userId: string, expiresAt: Date) => Promise<string>
  /** The user whose password this token sets; null for one that is unknown, used or expired. */
  readonly userOfPasswordReset: (token: string) => Promise<User | null>
  /** In any order; unknown ones are left out. */
  readonly users: (userIds: readonly string[]) => Promise<User[]>
}
