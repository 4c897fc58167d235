import { newId } from '../../model/ids.ts'
import { REPLAY_RATE } from '../../model/input-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AccountStorage } from '../../storage/port/accounts.ts'
import type { DeadFilter, DeadLetterStorage, Replay } from '../../storage/port/dead-letters.ts'
import { OperationError } from '../error.ts'
import { requireInRange } from '../in-range.ts'

export type { Replay }

export type ReplayDeps = {
  readonly accounts: Pick<AccountStorage, 'list'>
  readonly deadLetters: Pick<
    DeadLetterStorage,
    'count' | 'createReplays' | 'getReplay' | 'listReplays' | 'setReplayStatus'
  >
  readonly clock: Clock
  readonly wake: () => void
  /** Throws `not_found` for an account or a hook that does not exist. */
  readonly requireScope: (accountId: string | null, filter: DeadFilter) => Promise<void>
}

export type ReplayOperations = ReturnType<typeof replayOperations>

/** Running and paused replays of one account. Each running one causes a commit per second. */
export const REPLAYS_OPEN_MAX = 10
const WATCH_INTERVAL_MS = 1_000

/** Bulk replays. `accountId` null means all accounts, which only the operator's commands may use. */
export function replayOperations(deps: ReplayDeps) {
  const { accounts, deadLetters, clock } = deps

  const startFor = async (
    accountIds: readonly string[],
    filter: DeadFilter,
    ratePerSecond: number,
  ): Promise<Replay[]> => {
    requireInRange('ratePerSecond', ratePerSecond, REPLAY_RATE)
    const matching: string[] = []
    for (const id of accountIds) if ((await deadLetters.count(id, filter)) > 0) matching.push(id)
    if (matching.length === 0) throw new OperationError('conflict', 'No dead letter matches.')
    const createdAt = clock.now()
    const started = await deadLetters.createReplays(
      matching.map((accountId) => ({ id: newId('rpl'), accountId, filter, ratePerSecond, createdAt })),
      REPLAYS_OPEN_MAX,
    )
    deps.wake()
    return started
  }

  return {
    /**
     * Creates a replay of the dead letters that match now. A node with the role `send` performs it. Throws `invalid` for the rate,
     * `not_found` for the hook, and `conflict` when nothing matches or the account has `REPLAYS_OPEN_MAX` open replays.
     */
    async start(accountId: string, filter: DeadFilter, ratePerSecond: number): Promise<Replay> {
      await deps.requireScope(accountId, filter)
      const [replay] = await startFor([accountId], filter, ratePerSecond)
      if (replay === undefined) throw new Error('an account with matching dead letters got no replay')
      return replay
    },

    /** Creates one replay for each account with matching dead letters, or none when one of these accounts has reached its limit. */
    async startForAll(filter: DeadFilter, ratePerSecond: number): Promise<Replay[]> {
      await deps.requireScope(null, filter)
      const accountIds = (await accounts.list()).map(({ id }) => id)
      return startFor(accountIds, filter, ratePerSecond)
    },

    /** Newest first. */
    list: (accountId: string | null, limit: number): Promise<Replay[]> =>
      deadLetters.listReplays(accountId, limit),

    /** Pauses, resumes or cancels a replay. Throws `not_found`, and `conflict` for a replay that has ended. */
    async setStatus(
      accountId: string | null,
      id: string,
      status: 'running' | 'paused' | 'cancelled',
    ): Promise<Replay> {
      const replay = await deadLetters.setReplayStatus(accountId, id, status, clock.now())
      if (replay !== null) {
        deps.wake()
        return replay
      }
      const ended = await deadLetters.getReplay(accountId, id)
      if (ended !== null) {
        throw new OperationError('conflict', `This replay has ended: it is ${ended.status}.`)
      }
      const who = accountId === null ? 'There is' : 'The account has'
      throw new OperationError('not_found', `${who} no replay with this id.`)
    },

    /** Yields the replays whenever one has changed, until all have ended or `signal` aborts. Reads them once per second. */
    async *watch(replays: readonly Replay[], signal: AbortSignal): AsyncGenerator<readonly Replay[]> {
      let shown = ''
      while (!signal.aborted) {
        const read = await Promise.all(
          replays.map(({ accountId, id }) => deadLetters.getReplay(accountId, id)),
        )
        const current = read.filter((replay) => replay !== null)
        const text = JSON.stringify(current)
        if (text !== shown) yield current
        shown = text
        if (!current.some(isOpen)) return
        await clock.sleep(WATCH_INTERVAL_MS, signal)
      }
    },
  }
}

function isOpen({ status }: Replay): boolean {
  return status === 'running' || status === 'paused'
}
