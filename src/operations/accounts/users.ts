/** People who sign in. Their accounts and roles are in the `people` storage. */
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

/** A key pair of a device; the device has the private key. */
export type Passkey = {
  readonly id: string
  readonly name: string
  /** In base64url, as the browser gives it. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** Signatures so far, as some devices count them. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}
export type NewPasskey = Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'>

/** A person at an identity provider. */
export type ProviderIdentity = { readonly issuer: string; readonly subject: string }

/** `password`: null for a user who signs in only at an identity provider, with this `identity`. */
export type NewUser = {
  readonly name: string
  readonly email: string
  readonly password: string | null
  readonly identity?: ProviderIdentity | undefined
}

export type UserStore = {
  /** With the identity. Null when the address, or the identity, belongs to an existing user. */
  readonly createUser: (user: NewUser) => Promise<User | null>
  /** Deletes the user with password and sessions. */
  readonly removeUser: (userId: string) => Promise<void>
  /** The user who signs in with this address and a password. Users of an identity provider are found by their identity only. */
  readonly userByEmail: (email: string) => Promise<User | null>
  /** Sessions that have not expired, last used first. */
  readonly sessions: (userId: string) => Promise<UserSession[]>
  /** The session enters the account, which must be one of the user's. */
  readonly enterAccount: (sessionId: string, accountId: string) => Promise<void>
  /** Sessions that have entered none enter this account, the only one of the user. */
  readonly enterOnlyAccount: (userId: string, accountId: string) => Promise<void>
  readonly endSessionsIn: (userId: string, accountId: string) => Promise<void>
  /** False when the user has no such session. */
  readonly endSession: (userId: string, sessionId: string) => Promise<boolean>
  /**
   * The token to set a new password once. Setting it ends all sessions of the user, and removes the passkeys and the connection with the
   * identity provider unless they are kept.
   */
  readonly createPasswordReset: (
    userId: string,
    expiresAt: Date,
    options: { readonly keepsPasskeys: boolean },
  ) => Promise<string>
  /** The user of a password reset; null when the token is unknown, used or expired. */
  readonly userOfPasswordReset: (token: string) => Promise<User | null>
  readonly secondFactor: (userId: string) => Promise<SecondFactor>
  /** Those of the users whose second factor is on. */
  readonly withSecondFactor: (userIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** The next sign-in in each of them needs the code again. */
  readonly forgetTrustedBrowsers: (userId: string) => Promise<void>
  /** Removes the second factor with backup codes and trusted browsers, and ends all sessions. False when the user had none. */
  readonly removeSecondFactor: (userId: string) => Promise<boolean>
  /** Oldest first. */
  readonly passkeys: (userId: string) => Promise<Passkey[]>
  readonly addPasskey: (userId: string, passkey: NewPasskey) => Promise<Passkey>
  readonly renamePasskey: (id: string, name: string) => Promise<void>
  readonly removePasskey: (id: string) => Promise<void>
  readonly removePasskeys: (userId: string) => Promise<void>
  readonly passkeyOf: (
    credentialId: string,
  ) => Promise<{ readonly passkey: Passkey; readonly user: User } | null>
  /** True once for each challenge, so that a recorded sign-in cannot be repeated. */
  readonly claimChallenge: (challenge: string) => Promise<boolean>
  /** Stores the counter and the time. */
  readonly usedPasskey: (id: string, counter: number) => Promise<void>
  readonly hasPassword: (userId: string) => Promise<boolean>
  /** The user who has signed in with this identity before; null without one. */
  readonly userOfIdentity: (identity: ProviderIdentity) => Promise<User | null>
  readonly hasIdentity: (userId: string) => Promise<boolean>
  readonly linkIdentity: (userId: string, identity: ProviderIdentity) => Promise<void>
  /** The users in any order, without unknown ones. */
  readonly users: (userIds: readonly string[]) => Promise<User[]>
}
