import type { AccountDeletionOperations } from '../operations/accounts/account-deletion.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Loop } from '../runtime/loop.ts'

export type DeletionLoopDeps = {
  readonly accountDeletion: Pick<AccountDeletionOperations, 'open' | 'step'>
  readonly clock: Clock
  /** Whether the clock may be compared with leases. */
  readonly mayClaim: () => boolean
  readonly log: Log
}

/** Nobody waits for it: the account has no access any more. */
const IDLE_MS = 5_000
/** After each commit, so that sending never stalls behind it. */
const PAUSE_MS = 20

/** Continues the deletions of accounts that an owner, a command or a killed process began. Several nodes may do so at once. */
export function accountDeletionLoop({ accountDeletion, clock, mayClaim, log }: DeletionLoopDeps): Loop {
  return {
    name: 'account-deletion',
    idleMs: IDLE_MS,
    async pass(signal) {
      if (!mayClaim()) return 'idle'
      let worked = false
      for (const accountId of await accountDeletion.open()) {
        const step = await accountDeletion.step(accountId)
        if (step === 'ended') log.info('account.deleted', { account: accountId })
        worked ||= step !== 'waiting'
        await clock.sleep(PAUSE_MS, signal)
      }
      return worked ? 'worked' : 'idle'
    },
  }
}
