import type { Replay } from '../../operations/dead-letters/replays.ts'
import { withOperations } from '../../service/operate.ts'
import { type Command, numberOption } from '../command.ts'
import { JSON_OPTION, jsonLines, shownAt, table } from '../table.ts'
import { SCOPE_HINT } from './dead-filter.ts'

const LIMIT = 20

export const deadReplays: Command = {
  about: 'Lists bulk replays and their progress, newest first.',
  options: {
    account: { value: 'ID', help: 'Only replays of this account.' },
    limit: { value: 'N', help: `Maximum number; ${LIMIT} by default.` },
    json: JSON_OPTION,
  },
  hint: SCOPE_HINT,
  async run({ environment, out }, args) {
    const limit = numberOption(args, 'limit', 1, 10_000) ?? LIMIT
    const accountId = args.option('account') ?? null
    const replays = await withOperations(environment, async ({ deadLetters }) => {
      await deadLetters.requireScope(accountId, {})
      return deadLetters.replays.list(accountId, limit)
    })
    if (args.isOn('json')) {
      out(
        jsonLines(
          replays.map((replay) => ({
            id: replay.id,
            account_id: replay.accountId,
            status: replay.status,
            total: replay.total,
            queued: replay.queued,
            delivered: replay.delivered,
            dead_again: replay.deadAgain,
            rate_per_second: replay.ratePerSecond,
            created_at: replay.createdAt,
            finished_at: replay.finishedAt,
          })),
        ),
      )
      return 0
    }
    out(
      table(
        [
          'replay',
          'account',
          'status',
          'queued',
          'delivered',
          'dead again',
          'per second',
          'created',
          'ended',
        ],
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

/** The progress of a replay in one line. */
export function replayText(replay: Replay): string {
  return `${replay.id}: ${replay.status}, ${replay.queued} of ${replay.total} queued, ${replay.delivered} delivered, ${replay.deadAgain} dead again`
}
