import type { Role } from '../../model/vocabulary.ts'
import type { Account } from './accounts.ts'

/** A user's place in the one account they belong to. Who the user is (name, address, password) is kept by the sign-in. */
export type Member = {
  readonly userId: string
  readonly accountId: string
  readonly role: Role
  /** May see the system page. */
  readonly operator: boolean
  readonly createdAt: Date
}

export type Invitation = {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly role: Role
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** `last_owner`: refused, because nobody could manage the account any more. */
export type MemberChange = 'done' | 'not_found' | 'last_owner'

export type PeopleStorage = {
  /** Whether anybody can sign in at all; until then the console shows its setup page. */
  readonly anyMember: () => Promise<boolean>
  /**
   * Makes an account and its first owner in one commit. With `onlyFirst` false, and nothing made, when there is a
   * member of any account already: of two setups at once one succeeds.
   */
  readonly createAccount: (
    account: Account,
    owner: Omit<Member, 'accountId' | 'createdAt' | 'role'>,
    options: { readonly onlyFirst: boolean },
  ) => Promise<boolean>
  readonly memberOf: (userId: string) => Promise<Member | null>
  /** Oldest first. */
  readonly members: (accountId: string) => Promise<Member[]>
  readonly setRole: (accountId: string, userId: string, role: Role) => Promise<MemberChange>
  readonly removeMember: (accountId: string, userId: string) => Promise<MemberChange>

  /** Keeps the SHA-256 of the link's token only. */
  readonly invite: (invitation: Invitation, sha256Hex: string) => Promise<void>
  /** Those that can still be accepted, newest first. */
  readonly invitations: (accountId: string, now: Date) => Promise<Invitation[]>
  /** False when the account has no such open invitation. */
  readonly withdraw: (accountId: string, id: string) => Promise<boolean>
  /** The invitation of this token, or null for one that is unknown, over or accepted. */
  readonly invitationOf: (sha256Hex: string, now: Date) => Promise<Invitation | null>
  /** Uses it up and makes the user a member, in one commit; false, and nothing done, when it cannot be accepted. */
  readonly accept: (sha256Hex: string, userId: string, now: Date) => Promise<boolean>
}
