import type { Role } from '../../model/vocabulary.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'
import type { Account } from './accounts.ts'

/** A user's membership in one of their accounts. The sign-in library stores name, address and password. */
export type Member = {
  readonly userId: string
  readonly accountId: string
  readonly accountName: string
  readonly role: Role
  /** May see the system page, when signed in to this account. */
  readonly operator: boolean
  readonly createdAt: Date
  /** A rule of the account: a member who signs in with a password needs a second factor. */
  readonly requiresSecondFactor: boolean
}

export type Invitation = {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The name of the user, at that time; null for invitations of earlier versions. */
  readonly inviter: string | null
}

/** `last_owner`: rejected, because the account would have no owner. */
export type MemberChange = 'done' | 'not_found' | 'last_owner'

/** `last_account`: done, and the user belongs to no other account. */
export type MemberRemoval = MemberChange | 'last_account'

export type PeopleStorage = {
  /** Whether there is a user. The console shows its setup page until then. */
  readonly anyMember: () => Promise<boolean>
  /**
   * Creates an account and its first owner in one commit. With `onlyFirst`, returns false and creates nothing when any
   * account has a member, so that only one of two concurrent setups succeeds.
   */
  readonly createAccount: (
    account: WithInstants<Account>,
    owner: Pick<Member, 'userId' | 'operator'>,
    options: { readonly onlyFirst: boolean },
  ) => Promise<boolean>
  /** Of the user, without those in accounts that are being deleted, oldest first. */
  readonly memberships: (userId: string) => Promise<Member[]>
  /** Oldest first. */
  readonly members: (accountId: string) => Promise<Member[]>
  readonly setRole: (accountId: string, userId: string, role: Role) => Promise<MemberChange>
  /** Other memberships of the user stay. */
  readonly removeMember: (accountId: string, userId: string) => Promise<MemberRemoval>
  /** Of a user who no longer exists, in all accounts, also as the last owner. */
  readonly removeMemberships: (userId: string) => Promise<void>
  /** Sets the rule for all members of the account. */
  readonly requireSecondFactor: (accountId: string, required: boolean) => Promise<void>

  /**
   * Stores only the SHA-256 of the link's token. Throws `LimitReached` when the account has `max` open invitations; the
   * same commit counts them.
   */
  readonly invite: (invitation: WithInstants<Invitation>, sha256Hex: string, max?: number) => Promise<void>
  /** Those that can still be accepted, newest first. */
  readonly invitations: (accountId: string, now: Instant) => Promise<Invitation[]>
  /** False when the account has no such open invitation. */
  readonly withdraw: (accountId: string, id: string) => Promise<boolean>
  /** The invitation of this token, or null when it is unknown, expired or accepted. */
  readonly invitationOf: (sha256Hex: string, now: Instant) => Promise<Invitation | null>
  /** The newest open invitation of an address, in lowercase, in any account, with the hash by which it is accepted; null without one. */
  readonly openInvitationOf: (
    email: string,
    now: Instant,
  ) => Promise<{ readonly invitation: Invitation; readonly sha256Hex: string } | null>
  /**
   * Accepts it and makes the user a member, in one commit. False, without a change, when it cannot be accepted, and for a member of its
   * account.
   */
  readonly accept: (sha256Hex: string, userId: string, now: Instant) => Promise<boolean>
}
