import type { Replay } from '../../service/bulk-replay.ts'
import { withStorage } from '../../service/operate.ts'
import { type Command, numberOption } from '../command.ts'
import { requireAccount } from '../require-account.ts'
import { shownAt, table } from '../table.ts'

const LIMIT = 20

export const deadReplays: Command = {
  about: 'Lists bulk replays, newest first, with how far each has come.',
  options: {
    account: { value: 'ID', help: 'Only those of this account.' },
    limit: { value: 'N', help: `How many at most; ${LIMIT} without it.` },
  },
  async run({ environment, out }, args) {
    const limit = numberOption(args, 'limit', 1, 10_000) ?? LIMIT
    const accountId = args.option('account') ?? null
    const replays = await withStorage(environment, async (storage) => {
      await requireAccount(storage, accountId)
      return storage.dead.listReplays(accountId, limit)
    })
    out(
      table(
        ['replay', 'account', 'status', 'put back', 'delivered', 'dead again', 'a second', 'made', 'ended'],
        replays.map((replay) => [
          replay.id,
          replay.accountId,
          replay.status,
          `${replay.queued} of ${replay.total}`,
          String(replay.delivered),
          String(replay.deadAgain),
          String(replay.ratePerSecond),
          shownAt(replay.createdAt),
          shownAt(replay.finishedAt),
        ]),
      ),
    )
    out(`${replays.length} bulk replay${replays.length === 1 ? '' : 's'}.\n`)
    return 0
  },
}

/** How far a job has come, in a line. */
export function replayText(replay: Replay): string {
  return `${replay.id}: ${replay.status}, ${replay.queued} of ${replay.total} put back, ${replay.delivered} delivered, ${replay.deadAgain} dead again`
}
