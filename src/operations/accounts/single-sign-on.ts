import { NAME_CHARS_MAX } from '../../model/input-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import type { AccountOperations } from './accounts.ts'
import { createUserWithoutAccount } from './new-user.ts'
import type { ProviderIdentity, User, UserStore } from './users.ts'

export type SingleSignOnDeps = {
  readonly users: () => Promise<UserStore>
  readonly people: Pick<PeopleStorage, 'accept' | 'memberOf' | 'openInvitationOf'>
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

/** Why a person whom the provider knows cannot sign in here. */
export type EntryRefusal =
  | 'unverified_email'
  | 'wrong_domain'
  | 'unknown_user'
  | 'other_identity'
  | 'password_user'

/** `action`: how the user came to their account. */
export type Entry =
  | { readonly user: User; readonly action: 'returned' | 'joined' | 'created_account' }
  | { readonly refusal: EntryRefusal; readonly email: string | null }

export function singleSignOnOperations(deps: SingleSignOnDeps, accounts: Pick<AccountOperations, 'signUp'>) {
  const { people, clock, signup, ssoDomains } = deps

  const join = async (users: UserStore, email: string, name: string): Promise<User | null> => {
    const open = await people.openInvitationOf(email, clock.now())
    if (open === null) return null
    const user = await createUserWithoutAccount({ users, people }, { name, email, password: null })
    if (await people.accept(open.sha256Hex, user.id, clock.now())) return user
    await users.removeUser(user.id)
    return null
  }

  return {
    /**
     * The user of a person, by the identity at the provider, and at the first time by the verified e-mail address: of a member, or of an open
     * invitation, which it accepts. With open sign-up any other person gets an account. Then an address is no proof of membership, because
     * anyone can create a user or an invitation with another person's address: only the identity counts.
     */
    async enter(
      { identity, isEmailVerified, ...person }: ProviderPerson,
      clientAddress: string,
    ): Promise<Entry> {
      const email = person.email?.trim().toLowerCase() ?? null
      const refused = (refusal: EntryRefusal): Entry => ({ refusal, email })
      if (email === null || !isEmailVerified) return refused('unverified_email')
      if (ssoDomains.length > 0 && !ssoDomains.includes(email.slice(email.lastIndexOf('@') + 1))) {
        return refused('wrong_domain')
      }
      const users = await deps.users()
      const linked = await users.userOfIdentity(identity)
      if (linked !== null && (await people.memberOf(linked.id)) !== null) {
        return { user: linked, action: 'returned' }
      }
      const known = await users.userByEmail(email)
      if (known !== null && (await people.memberOf(known.id)) !== null) {
        if (signup === 'open') return refused('password_user')
        // An address can pass to another person; the identity at the provider cannot.
        if (await users.hasIdentity(known.id)) return refused('other_identity')
        await users.linkIdentity(known.id, identity)
        return { user: known, action: 'returned' }
      }
      const name = (person.name?.trim() || email).slice(0, NAME_CHARS_MAX)
      if (signup === 'open') {
        const { owner } = await accounts.signUp({ name, email, password: null }, clientAddress)
        await users.linkIdentity(owner.id, identity)
        return { user: owner, action: 'created_account' }
      }
      const user = await join(users, email, name)
      if (user === null) return refused('unknown_user')
      await users.linkIdentity(user.id, identity)
      return { user, action: 'joined' }
    },
  }
}
