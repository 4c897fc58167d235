import { OperationError } from '../error.ts'
import type { UserSession, UserStore } from './users.ts'

export type SessionDeps = { readonly users: () => Promise<UserStore> }

/** The sessions of a user, one for each signed-in browser. */
export type SessionOperations = {
  /** Sessions that have not expired, last used first. */
  readonly list: (userId: string) => Promise<UserSession[]>
  /** Signs the browser out, and ends the trust in all browsers, one of which it may be. Throws `not_found` when the user has no such session. */
  readonly end: (userId: string, sessionId: string) => Promise<void>
}

export function sessionOperations({ users }: SessionDeps): SessionOperations {
  return {
    list: async (userId) => (await users()).sessions(userId),

    async end(userId, sessionId) {
      const store = await users()
      if (await store.endSession(userId, sessionId)) return store.forgetTrustedBrowsers(userId)
      throw new OperationError('not_found', 'You have no session with this id.')
    },
  }
}
