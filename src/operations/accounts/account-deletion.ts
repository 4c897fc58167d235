import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage, DeletionStep } from '../../storage/port/accounts.ts'
import type { PeopleStorage } from '../../storage/port/people.ts'
import { OperationError } from '../error.ts'
import { removeUserWithoutAccount } from './new-user.ts'
import { requireAccount } from './require-account.ts'
import { requireFreshSession } from './sessions.ts'
import type { UserStore } from './users.ts'

export type AccountDeletionDeps = {
  readonly users: () => Promise<Pick<UserStore, 'endSessionsIn' | 'sessions' | 'removeUser'>>
  readonly accounts: Pick<
    AccountStorage,
    'get' | 'beginDeletion' | 'deletions' | 'deletionStep' | 'endDeletion'
  >
  readonly people: Pick<PeopleStorage, 'members' | 'memberships' | 'removeMemberships'>
  readonly clock: Clock
}

/** Rows in one commit. Of 100,000 events it takes 3 ms, 6 ms in 95 of 100, 34 ms at most. */
const ROWS_PER_STEP = 200

/**
 * Deletes accounts with everything that belongs to them, and users who belong to no other account. Reviews and ratings of the public stores
 * stay for other accounts.
 */
export function accountDeletionOperations(deps: AccountDeletionDeps) {
  const { accounts, people, clock } = deps

  /** Ends all access at once; the steps delete the rest. False when that has begun before. Throws `not_found`. */
  const begin = async (accountId: string): Promise<boolean> => {
    await requireAccount(accounts, accountId)
    return accounts.beginDeletion(accountId, clock.now())
  }

  return {
    begin,

    /**
     * The same for an owner who entered the name of the account. Throws `forbidden` unless the session began a short time ago, `invalid`
     * for another name, and `conflict` for an account of the operator, without whom nobody could see the whole installation.
     */
    async beginByOwner(
      accountId: string,
      { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
      enteredName: string,
    ): Promise<void> {
      await requireFreshSession(await deps.users(), clock, { userId, sessionId }, 'To delete the account')
      const { name } = await requireAccount(accounts, accountId)
      if (enteredName.trim() !== name) {
        throw new OperationError('invalid', `name must be the name of the account: ${JSON.stringify(name)}.`)
      }
      if ((await people.members(accountId)).some(({ operator }) => operator)) {
        throw new OperationError(
          'conflict',
          'A member of this account is the operator of the installation. Delete it with the command "radar account delete".',
        )
      }
      await begin(accountId)
    },

    /** The accounts whose deletion has begun and not ended, also by a process that was killed. */
    open: (): Promise<string[]> => accounts.deletions(),

    /** One bounded commit. `ended`: nothing of the account is left. */
    async step(accountId: string): Promise<Exclude<DeletionStep, 'empty'> | 'ended'> {
      const step = await accounts.deletionStep(accountId, clock.now(), ROWS_PER_STEP)
      if (step !== 'empty') return step
      const users = await deps.users()
      for (const { userId } of await people.members(accountId)) {
        const isInOthers = (await people.memberships(userId)).length > 0
        if (isInOthers) await users.endSessionsIn(userId, accountId)
        else await removeUserWithoutAccount({ users, people }, userId)
      }
      await accounts.endDeletion(accountId)
      return 'ended'
    },
  }
}
export type AccountDeletionOperations = ReturnType<typeof accountDeletionOperations>
