import { NAME_CHARS_MAX } from '../../model/input-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import type { AccountOperations } from './accounts.ts'
import { createUserWithoutAccount, isEmail, removeUserWithoutAccount } from './new-user.ts'
import { type Accepted, addMembership, sha256Of } from './people.ts'
import { isFreshSession, requireFreshSession } from './sessions.ts'
import type { ProviderIdentity, User, UserStore } from './users.ts'

export type SingleSignOnDeps = {
  readonly users: () => Promise<UserStore>
  readonly accounts: Pick<AccountStorage, 'list'>
  readonly people: Pick<
    PeopleStorage,
    'accept' | 'invitationOf' | 'memberships' | 'openInvitationOf' | 'removeMemberships'
  >
  readonly clock: Clock
  readonly signup: 'closed' | 'open'
  /** E-mail domains of users who may sign in; empty for all. */
  readonly ssoDomains: readonly string[]
}

/** What a provider says about the person who signed in there. */
export type ProviderPerson = {
  readonly identity: ProviderIdentity
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly name: string | null
}

/** Why a person whom the provider knows cannot sign in here, or cannot be connected. */
export type EntryRefusal =
  | 'unverified_email'
  | 'wrong_domain'
  | 'unknown_user'
  | 'expired'
  | 'other_identity'
  | 'identity_taken'

/** `accountId`: the account to enter; null for the only one, or the user's choice. `action`: how the user came to it. */
export type Entry =
  | { readonly user: User; readonly accountId: string | null; readonly action: 'returned' | 'connected' }
  | (Accepted & { readonly user: User; readonly action: 'joined' })
  | { readonly user: User; readonly accountId: string; readonly action: 'created_account' }
  | { readonly refusal: EntryRefusal }

/** `clientAddress`: of the browser. `invitation`: the token of the link that was opened in it; null for none. */
export type EntryFrom = { readonly clientAddress: string; readonly invitation: string | null }

type OpenInvitation = NonNullable<Awaited<ReturnType<PeopleStorage['openInvitationOf']>>>

/**
 * Sign-in at the identity provider. A user is bound to an identity (issuer and subject), never to an address, because an owner of any
 * account can invite any address and set a password for it. So the users of a password and of an identity with one address are two users,
 * until the person is signed in as the first and connects the second.
 */
export function singleSignOnOperations(deps: SingleSignOnDeps, accounts: Pick<AccountOperations, 'signUp'>) {
  const { people, clock, signup, ssoDomains } = deps

  const isMember = async (user: User | null) =>
    user !== null && (await people.memberships(user.id)).length > 0

  const byLink = async (token: string): Promise<OpenInvitation | null> => {
    const sha256Hex = sha256Of(token)
    const invitation = await people.invitationOf(sha256Hex, clock.now())
    return invitation === null ? null : { invitation, sha256Hex }
  }

  /** In the only account, nobody else could have invited the address. */
  const byVerifiedEmail = async (email: string): Promise<OpenInvitation | null> =>
    (await deps.accounts.list()).length > 1 ? null : people.openInvitationOf(email, clock.now())

  const refusalByDomain = (email: string | null, isProved: boolean): EntryRefusal | null => {
    if (ssoDomains.length === 0) return null
    if (email === null || !isProved) return 'unverified_email'
    return ssoDomains.includes(email.slice(email.lastIndexOf('@') + 1)) ? null : 'wrong_domain'
  }

  return {
    /**
     * The user of a person: of the identity, or of an invitation whose link they opened, or that their verified address accepts in an
     * installation of one account. With open sign-up any other person gets an account.
     */
    async enter(person: ProviderPerson, { clientAddress, invitation: token }: EntryFrom): Promise<Entry> {
      const { identity, isEmailVerified } = person
      const email = emailOf(person)
      const verifiedEmail = isEmailVerified ? email : null
      const users = await deps.users()
      const linked = await users.userOfIdentity(identity)
      const memberships = linked === null ? [] : await people.memberships(linked.id)
      const isKnown = memberships.length > 0
      // The identity of a member is proved without an address. One of a wrong domain still shows that they have left.
      const wrongDomain = refusalByDomain(email, isEmailVerified || (isKnown && email !== null))
      if (wrongDomain !== null && (!isKnown || email !== null)) return refused(wrongDomain)
      const opened = token === null ? null : await byLink(token)
      if (linked !== null && isKnown) {
        const accountId = opened?.invitation.accountId ?? null
        const isNew = opened !== null && !memberships.some((each) => each.accountId === accountId)
        if (!isNew) return { user: linked, accountId, action: 'returned' }
        const { sha256Hex, invitation } = opened
        if (!(await addMembership({ users, people }, sha256Hex, linked.id, clock.now())))
          return refused('unknown_user')
        const { accountId: joinedId, email: invitedEmail } = invitation
        return { user: linked, accountId: joinedId, invitedEmail, action: 'joined' }
      }
      const invited =
        token === null && signup === 'closed' && verifiedEmail !== null
          ? await byVerifiedEmail(verifiedEmail)
          : opened
      const name = (person.name?.trim() || email || '').slice(0, NAME_CHARS_MAX)
      if (invited !== null) {
        const { email: label, accountId } = invited.invitation
        const newUser = { name: name || label, email: verifiedEmail ?? label, password: null, identity }
        const user = await createUserWithoutAccount({ users, people }, newUser)
        if (await people.accept(invited.sha256Hex, user.id, clock.now()))
          return { user, accountId, invitedEmail: label, action: 'joined' }
        await users.removeUser(user.id)
        return refused('unknown_user')
      }
      if (token !== null) return refused('unknown_user')
      if (signup === 'open') {
        // In an account of its own the address is a name that proves nothing.
        if (email === null) return refused('unverified_email')
        const newOwner = { name, email, password: null, identity }
        const { owner, accountId } = await accounts.signUp(newOwner, clientAddress)
        return { user: owner, accountId, action: 'created_account' }
      }
      if (verifiedEmail === null) return refused('unverified_email')
      // Also when a user with a password has the address, which nobody proved there.
      return refused('unknown_user')
    },

    /** Throws `forbidden` for a session that is not fresh: a forgotten browser must not give lasting access. */
    checkConnect: async (userId: string, sessionId: string | null): Promise<void> =>
      requireFreshSession(
        await deps.users(),
        clock,
        { userId, sessionId },
        'To connect the identity provider',
      ),

    /**
     * Binds the identity to a user who is still signed in with the session that passed `checkConnect`: whoever ends the sessions of a thief
     * also ends what these began.
     */
    async connect(userId: string, sessionId: string, person: ProviderPerson): Promise<Entry> {
      const email = emailOf(person)
      const wrongDomain = refusalByDomain(email, person.isEmailVerified)
      if (wrongDomain !== null) return refused(wrongDomain)
      const users = await deps.users()
      if (!(await isFreshSession(users, clock, { userId, sessionId }))) return refused('expired')
      const linked = await users.userOfIdentity(person.identity)
      if (linked !== null && linked.id !== userId && (await isMember(linked)))
        return refused('identity_taken')
      const [user] = await users.users([userId])
      if (user === undefined || !(await isMember(user))) return refused('unknown_user')
      if (linked?.id === userId) return { user, accountId: null, action: 'connected' }
      if (await users.hasIdentity(userId)) return refused('other_identity')
      if (linked !== null) await removeUserWithoutAccount({ users, people }, linked.id)
      await users.linkIdentity(userId, person.identity)
      return { user, accountId: null, action: 'connected' }
    },
  }
}

function refused(refusal: EntryRefusal): Entry {
  return { refusal }
}

/** Null for a text that is no address. */
function emailOf({ email }: ProviderPerson): string | null {
  const text = email?.trim().toLowerCase() ?? ''
  return isEmail(text) ? text : null
}
