import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../../model/ids.ts'
import type { Role } from '../../model/vocabulary.ts'
import { type Instant, later } from '../../runtime/instant.ts'
import { networkOf } from '../../runtime/network.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { Invitation, Member, MemberRemoval, PeopleStorage } from '../../storage/port/people.ts'
import { type AttemptLimitDeps, createAttemptLimit } from '../attempt-limit.ts'
import { OperationError } from '../error.ts'
import { checkEmail, checkNewUser, createUserWithoutAccount, removeUserWithoutAccount } from './new-user.ts'
import type { NewUser, User, UserStore } from './users.ts'

export type { Invitation }
export type AccountMembership = Member

export type PeopleDeps = AttemptLimitDeps & {
  readonly accounts: Pick<AccountStorage, 'get' | 'rename'>
  readonly users: () => Promise<UserStore>
  readonly people: Omit<
    PeopleStorage,
    'anyMember' | 'createAccount' | 'openInvitationOf' | 'requireSecondFactor'
  >
}

export type AccountMember = {
  readonly user: User
  readonly role: Role
  readonly joinedAt: Date
  readonly hasSecondFactor: boolean
}

/** An invitation that somebody accepted, also with another address than the invited one. */
export type Accepted = { readonly accountId: string; readonly invitedEmail: string }

/** What the page of an invitation shows. */
export type ShownInvitation = Pick<Invitation, 'inviter' | 'email' | 'role'> & { readonly account: string }

const INVITATION_MS = 7 * 24 * 3_600_000
const INVITATION_BYTES = 32
/** Open invitations of one account. */
const INVITATIONS_MAX = 100

export function peopleOperations(deps: PeopleDeps) {
  const { people, clock } = deps
  const accepts = createAttemptLimit(deps, 'invitation')
  const shows = createAttemptLimit(deps, 'invitation_shown')

  const members = async (accountId: string): Promise<AccountMember[]> => {
    const stored = await people.members(accountId)
    const ids = stored.map(({ userId }) => userId)
    const store = await deps.users()
    const [users, protectedIds] = await Promise.all([store.users(ids), store.withSecondFactor(ids)])
    const byId = new Map(users.map((user) => [user.id, user]))
    return stored.flatMap(({ userId, role, createdAt }) => {
      const user = byId.get(userId)
      const hasSecondFactor = protectedIds.has(userId)
      return user === undefined ? [] : [{ user, role, joinedAt: createdAt, hasSecondFactor }]
    })
  }

  return {
    /** Of a user, oldest first; none for a user who was removed from the last account. */
    memberships: (userId: string): Promise<AccountMembership[]> => people.memberships(userId),

    /** Oldest first. */
    members,

    /** Throws `not_found`, and `conflict` for the last owner. */
    async setRole(accountId: string, userId: string, role: Role): Promise<AccountMember> {
      requireDone(await people.setRole(accountId, userId, role))
      const member = (await members(accountId)).find(({ user }) => user.id === userId)
      if (member === undefined) throw noSuchMember()
      return member
    },

    /**
     * Ends the member's sessions in the account. Deletes a user who belongs to no other account and so could not sign in. Throws
     * `not_found`, and `conflict` for the last owner.
     */
    async removeMember(accountId: string, userId: string): Promise<void> {
      const removal = await people.removeMember(accountId, userId)
      requireDone(removal)
      const users = await deps.users()
      if (removal === 'last_account') await removeUserWithoutAccount({ users, people }, userId)
      else await users.endSessionsIn(userId, accountId)
    },

    /** Throws `not_found`. */
    async renameAccount(accountId: string, name: string): Promise<void> {
      if (await deps.accounts.rename(accountId, name)) return
      throw new OperationError('not_found', 'The account no longer exists.')
    },

    /** Open invitations, newest first. */
    invitations: (accountId: string): Promise<Invitation[]> => people.invitations(accountId, clock.now()),

    /**
     * Creates an invitation. Only this return value contains the token of its link. Throws `invalid` for the address, and `conflict` when
     * the account has `INVITATIONS_MAX` open ones.
     */
    async invite(
      accountId: string,
      email: string,
      role: Role,
      inviter: string,
    ): Promise<{ readonly invitation: Invitation; readonly token: string }> {
      checkEmail(email)
      const createdAt = clock.now()
      const token = randomBytes(INVITATION_BYTES).toString('base64url')
      const expiresAt = later(createdAt, INVITATION_MS)
      const invitation = { id: newId('inv'), accountId, email, role, createdAt, expiresAt, inviter }
      await people.invite(invitation, sha256Of(token), INVITATIONS_MAX)
      return { invitation, token }
    },

    /**
     * The account and the inviter of a link, for its page. Throws `not_found` for one that is no longer valid, and
     * `rate_limited`.
     */
    async invitation(token: string, clientAddress: string): Promise<ShownInvitation> {
      await shows.attempt(networkOf(clientAddress))
      const invitation = await people.invitationOf(sha256Of(token), clock.now())
      const account = invitation && (await deps.accounts.get(invitation.accountId))
      if (invitation === null || account === null) throw invitationNotValid()
      return {
        account: account.name,
        inviter: invitation.inviter,
        email: invitation.email,
        role: invitation.role,
      }
    },

    /** Throws `not_found`. */
    async withdraw(accountId: string, id: string): Promise<void> {
      if (await people.withdraw(accountId, id)) return
      throw new OperationError('not_found', 'The account has no open invitation with this id.')
    },

    /**
     * Creates the invited user and makes them a member. They sign in with `email`, by default the invited address. Throws `not_found` for
     * an invitation that is no longer valid, `conflict` for the address of an existing user, and `rate_limited` after repeated failures
     * from one address.
     */
    async accept(
      token: string,
      { name, email, password }: Omit<NewUser, 'email'> & { readonly email?: string | undefined },
      clientAddress: string,
    ): Promise<Accepted & { readonly user: User }> {
      await accepts.attempt(networkOf(clientAddress))
      const sha256 = sha256Of(token)
      const invitation = await people.invitationOf(sha256, clock.now())
      if (invitation === null) throw invitationNotValid()
      const newUser = checkNewUser({ name, email: email ?? invitation.email, password })
      const users = await deps.users()
      const user = await createUserWithoutAccount({ users, people }, newUser)
      if (!(await people.accept(sha256, user.id, clock.now()))) {
        await users.removeUser(user.id)
        throw invitationNotValid()
      }
      await accepts.succeeded(networkOf(clientAddress))
      return { user, accountId: invitation.accountId, invitedEmail: invitation.email }
    },

    /**
     * Makes a signed-in user a member of one more account. Throws `not_found` for an invitation that is no longer valid, `conflict`
     * for a member of its account, and `rate_limited` as `accept`.
     */
    async join(token: string, userId: string, clientAddress: string): Promise<Accepted> {
      await accepts.attempt(networkOf(clientAddress))
      const sha256 = sha256Of(token)
      const invitation = await people.invitationOf(sha256, clock.now())
      if (invitation === null) throw invitationNotValid()
      const { accountId } = invitation
      const memberships = await people.memberships(userId)
      if (memberships.some((each) => each.accountId === accountId)) {
        throw new OperationError('conflict', 'You are a member of this account already.')
      }
      if (!(await addMembership({ users: await deps.users(), people }, sha256, userId, clock.now())))
        throw invitationNotValid()
      await accepts.succeeded(networkOf(clientAddress))
      return { accountId, invitedEmail: invitation.email }
    },
  }
}

/**
 * Accepts an invitation for a user who may belong to other accounts. Sessions of a user of one account stay in it. False when the
 * invitation cannot be accepted.
 */
export async function addMembership(
  {
    users,
    people,
  }: {
    readonly users: UserStore
    readonly people: Pick<PeopleStorage, 'accept' | 'memberships' | 'removeMemberships'>
  },
  sha256Hex: string,
  userId: string,
  now: Instant,
): Promise<boolean> {
  const [only, ...others] = await people.memberships(userId)
  if (only !== undefined && others.length === 0) await users.enterOnlyAccount(userId, only.accountId)
  if (!(await people.accept(sha256Hex, userId, now))) return false
  // Removed meanwhile from the last account.
  if ((await users.users([userId])).length > 0) return true
  await people.removeMemberships(userId)
  return false
}

/** By which storage knows the token of an invitation. */
export function sha256Of(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function requireDone(change: MemberRemoval): void {
  if (change === 'not_found') throw noSuchMember()
  if (change === 'last_owner') {
    throw new OperationError(
      'conflict',
      'This is the last owner of the account. Make another member an owner first.',
    )
  }
}

function noSuchMember(): OperationError {
  return new OperationError('not_found', 'The account has no member with this id.')
}

function invitationNotValid(): OperationError {
  return new OperationError(
    'not_found',
    'This invitation is no longer valid: it was used or withdrawn, or is older than 7 days.',
  )
}
