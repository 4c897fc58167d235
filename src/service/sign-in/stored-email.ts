import { createHash } from 'node:crypto'
import type { ProviderIdentity, User } from '../../operations/accounts/users.ts'

/** Without ambiguity: an issuer is a URL and has no space. */
export function linkOf({ issuer, subject }: ProviderIdentity): string {
  return `${issuer} ${subject}`
}

const IDENTITY_PREFIX = /^oidc:[0-9a-f]{32}:/

/**
 * The address as the library stores it, which finds users by it and allows each once. That of a user of an identity provider has the
 * identity before it: so no password signs in as them, and somebody else with the address does not keep them out.
 */
export function storedEmail(email: string, identity: ProviderIdentity | undefined): string {
  if (identity === undefined) return email
  return `oidc:${createHash('sha256').update(linkOf(identity)).digest('hex').slice(0, 32)}:${email}`
}

export function presentUser({ id, name, email }: User): User {
  return { id, name, email: email.replace(IDENTITY_PREFIX, '') }
}
