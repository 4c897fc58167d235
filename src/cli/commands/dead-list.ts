import { withStorage } from '../../service/operate.ts'
import { type Command, numberOption } from '../command.ts'
import { harmless, shownAt, table } from '../table.ts'
import { DEAD_OPTIONS, deadFilterOf, deadSummary, requireChosen } from './dead-filter.ts'

const LIMIT = 50

export const deadList: Command = {
  about: 'Lists deliveries that we stopped trying, newest first.',
  options: { ...DEAD_OPTIONS, limit: { value: 'N', help: `How many at most; ${LIMIT} without it.` } },
  async run({ environment, out }, args) {
    const limit = numberOption(args, 'limit', 1, 10_000) ?? LIMIT
    const { accountId, filter } = deadFilterOf(args)
    await withStorage(environment, async (storage) => {
      await requireChosen(storage, accountId, filter)
      const letters = await storage.dead.list(accountId, filter, { limit, before: null })
      out(
        table(
          ['event', 'hook', 'type', 'app', 'made', 'died', 'reason', 'last answer'],
          letters.map((letter) => [
            letter.eventId,
            letter.hookId,
            letter.eventType,
            harmless(`${letter.store} ${letter.appId}`),
            shownAt(letter.createdAt),
            shownAt(letter.deadAt),
            letter.deadReason ?? '-',
            letter.lastHttpStatus === null ? (letter.lastReason ?? '-') : `HTTP ${letter.lastHttpStatus}`,
          ]),
        ),
      )
      const { count, text } = await deadSummary(storage, accountId, filter)
      out(count > letters.length ? `The newest ${letters.length} of ${text}.\n` : `${text}.\n`)
    })
    return 0
  },
}
