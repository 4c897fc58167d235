/** People who sign in with an address and a password. Their accounts and roles are in the `people` storage. */
export type User = { readonly id: string; readonly name: string; readonly email: string }

/** A signed-in browser. `clientAddress` and `userAgent` are those of the sign-in; null when unknown. */
export type UserSession = {
  readonly id: string
  readonly signedInAt: Date
  /** Accurate to a day. */
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly clientAddress: string | null
  readonly userAgent: string | null
}

/** A code of an app that a user enters after the password. */
export type SecondFactor = {
  readonly isOn: boolean
  readonly backupCodesLeft: number
  /** Browsers that sign in without the code, for 30 days from their last sign-in. */
  readonly trustedBrowsers: number
}

/** A person at an identity provider. */
export type ProviderIdentity = { readonly issuer: string; readonly subject: string }

/** `password`: null for a user who signs in only at an identity provider. */
export type NewUser = { readonly name: string; readonly email: string; readonly password: string | null }

export type UserStore = {
  /** Null when the address belongs to an existing user. */
  readonly createUser: (user: NewUser) => Promise<User | null>
  /** Deletes the user with password and sessions. */
  readonly removeUser: (userId: string) => Promise<void>
  readonly userByEmail: (email: string) => Promise<User | null>
  /** Sessions that have not expired, last used first. */
  readonly sessions: (userId: string) => Promise<UserSession[]>
  /** False when the user has no such session. */
  readonly endSession: (userId: string, sessionId: string) => Promise<boolean>
  /** The token to set a new password once. Setting it ends all sessions of the user. */
  readonly createPasswordReset: (userId: string, expiresAt: Date) => Promise<string>
  /** The user of a password reset; null when the token is unknown, used or expired. */
  readonly userOfPasswordReset: (token: string) => Promise<User | null>
  readonly secondFactor: (userId: string) => Promise<SecondFactor>
  /** Those of the users whose second factor is on. */
  readonly withSecondFactor: (userIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** The next sign-in in each of them needs the code again. */
  readonly forgetTrustedBrowsers: (userId: string) => Promise<void>
  /** Removes the second factor with backup codes and trusted browsers, and ends all sessions. False when the user had none. */
  readonly removeSecondFactor: (userId: string) => Promise<boolean>
  readonly hasPassword: (userId: string) => Promise<boolean>
  /** The user who has signed in with this identity before; null without one. */
  readonly userOfIdentity: (identity: ProviderIdentity) => Promise<User | null>
  readonly hasIdentity: (userId: string) => Promise<boolean>
  readonly linkIdentity: (userId: string, identity: ProviderIdentity) => Promise<void>
  /** The users in any order, without unknown ones. */
  readonly users: (userIds: readonly string[]) => Promise<User[]>
}
