import { newId } from '../model/ids.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { DeadFilter, Replay } from '../storage/port/dead.ts'
import type { Storage } from '../storage/port.ts'

export type { DeadFilter, Replay }

type Stored = Pick<Storage, 'accounts' | 'dead'>

/**
 * Stores one bulk replay for each account that has dead letters which match; of all accounts when `accountId` is null.
 * A node with the role `send` does the work. Empty when nothing matches.
 */
export async function startReplays(
  storage: Stored,
  accountId: string | null,
  filter: DeadFilter,
  ratePerSecond: number,
  clock: Clock = systemClock,
): Promise<Replay[]> {
  const accountIds = accountId === null ? (await storage.accounts.list()).map(({ id }) => id) : [accountId]
  const replays: Replay[] = []
  for (const id of accountIds) {
    if ((await storage.dead.count(id, filter)) === 0) continue
    const job = { id: newId('rpl'), accountId: id, filter, ratePerSecond, createdAt: clock.now() }
    replays.push(await storage.dead.createReplay(job))
  }
  return replays
}

/**
 * The jobs as they are now, whenever one has changed, until all have ended: looked at once a second. Ends early when
 * `signal` aborts.
 */
export async function* watchReplays(
  storage: Pick<Storage, 'dead'>,
  replays: readonly Replay[],
  signal: AbortSignal,
  clock: Clock = systemClock,
): AsyncGenerator<readonly Replay[]> {
  let shown = ''
  while (!signal.aborted) {
    const now = await Promise.all(
      replays.map(async ({ accountId, id }) => await storage.dead.getReplay(accountId, id)),
    )
    const jobs = now.filter((job) => job !== null)
    const text = JSON.stringify(jobs)
    if (text !== shown) yield jobs
    shown = text
    if (jobs.every(({ finishedAt }) => finishedAt !== null)) return
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
}

const LOOK_EVERY_MS = 1_000
