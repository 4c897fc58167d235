import type { NewPasskey, Passkey, User } from '../../operations/accounts/users.ts'

type WithChallenge = { readonly challenge: string }

/** The WebAuthn side of passkeys. A `response` is what the browser returned, and untrusted. */
export type PasskeyProtocol = {
  /** Browsers accept no passkeys for an IP address. */
  readonly isAvailable: () => boolean
  /** For `navigator.credentials.create`. */
  readonly optionsToAdd: (user: User, existing: readonly Passkey[]) => Promise<WithChallenge>
  /** Null for a response that does not fit. */
  readonly verifyAdded: (response: object, challenge: string) => Promise<Omit<NewPasskey, 'name'> | null>
  /** For `navigator.credentials.get`. */
  readonly optionsToSignIn: () => Promise<WithChallenge>
  readonly credentialIdOf: (response: object) => string | null
  /** The new counter of the passkey; null for a response that does not fit. */
  readonly verifySignIn: (response: object, challenge: string, passkey: Passkey) => Promise<number | null>
}
