import type { Clock } from '../../runtime/clock.ts'
import { OperationError } from '../error.ts'
import type { UserSession, UserStore } from './users.ts'

export type SessionDeps = { readonly users: () => Promise<UserStore> }

const FRESH_MS = 15 * 60_000

/** Throws `forbidden` unless the session began a short time ago. `purpose` begins the sentence. */
export async function requireFreshSession(
  users: Pick<UserStore, 'sessions'>,
  clock: Clock,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
  purpose: string,
): Promise<void> {
  if (await isFreshSession(users, clock, { userId, sessionId })) return
  throw new OperationError(
    'forbidden',
    `${purpose}, sign out and in again: your sign-in is older than 15 minutes.`,
  )
}

/** Whether the user has the session, and it began a short time ago. */
export async function isFreshSession(
  users: Pick<UserStore, 'sessions'>,
  clock: Clock,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
): Promise<boolean> {
  const session = (await users.sessions(userId)).find(({ id }) => id === sessionId)
  return session !== undefined && clock.now().getTime() - session.signedInAt.getTime() <= FRESH_MS
}

/** The sessions of a user, one for each signed-in browser. */
export function sessionOperations({ users }: SessionDeps) {
  return {
    /** Sessions that have not expired, last used first. */
    list: async (userId: string): Promise<UserSession[]> => (await users()).sessions(userId),

    /**
     * Signs the browser out, and ends the trust in all browsers, one of which it may be. Throws `not_found` when the user has no such
     * session.
     */
    async end(userId: string, sessionId: string): Promise<void> {
      const store = await users()
      if (await store.endSession(userId, sessionId)) return store.forgetTrustedBrowsers(userId)
      throw new OperationError('not_found', 'You have no session with this id.')
    },
  }
}
