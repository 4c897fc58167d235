import type { User, UserStore } from '../../operations/accounts/users.ts'
import type { Auth } from './better-auth.ts'
import { linkOf, presentUser } from './stored-email.ts'

/** The library's name of passwords. */
const PASSWORD_PROVIDER = 'credential'
const IDENTITY_PROVIDER = 'oidc'

type IdentityStore = Pick<UserStore, 'hasPassword' | 'hasIdentity' | 'userOfIdentity' | 'linkIdentity'> & {
  readonly unlinkIdentity: (userId: string) => Promise<void>
}

/** How users sign in: by password, at an identity provider, or both. */
export function identityStore(auth: Auth): IdentityStore {
  const signsInBy = async (userId: string, provider: string) => {
    const { internalAdapter } = await auth.$context
    return (await internalAdapter.findAccounts(userId)).some(({ providerId }) => providerId === provider)
  }
  return {
    hasPassword: (userId) => signsInBy(userId, PASSWORD_PROVIDER),
    hasIdentity: (userId) => signsInBy(userId, IDENTITY_PROVIDER),

    async userOfIdentity(identity): Promise<User | null> {
      const { internalAdapter } = await auth.$context
      const link = await internalAdapter.findAccountByProviderId(linkOf(identity), IDENTITY_PROVIDER)
      const user = link === null ? null : await internalAdapter.findUserById(link.userId)
      return user === null ? null : presentUser(user)
    },

    async unlinkIdentity(userId) {
      const { adapter } = await auth.$context
      const where = [
        { field: 'userId', value: userId },
        { field: 'providerId', value: IDENTITY_PROVIDER },
      ]
      await adapter.deleteMany({ model: 'account', where })
    },

    async linkIdentity(userId, identity) {
      const { internalAdapter } = await auth.$context
      const accountId = linkOf(identity)
      await internalAdapter.linkAccount({ userId, providerId: IDENTITY_PROVIDER, accountId })
    },
  }
}
