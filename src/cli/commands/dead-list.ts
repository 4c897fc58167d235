import { deadLetterRecord } from '../../operations/dead-letters/record.ts'
import { withOperations } from '../../service/operate.ts'
import { type Command, numberOption } from '../command.ts'
import { JSON_OPTION, jsonLines, sanitize, shownAt, table } from '../table.ts'
import { DEAD_OPTIONS, deadFilterOf, SCOPE_HINT, summaryOf } from './dead-filter.ts'

const LIMIT = 50

export const deadList: Command = {
  about: 'Lists dead letters, newest first: deliveries that are no longer retried.',
  options: {
    ...DEAD_OPTIONS,
    limit: { value: 'N', help: `Maximum number; ${LIMIT} by default.` },
    json: JSON_OPTION,
  },
  hint: SCOPE_HINT,
  async run({ environment, out }, args) {
    const limit = numberOption(args, 'limit', 1, 10_000) ?? LIMIT
    const { accountId, filter } = deadFilterOf(args)
    await withOperations(environment, async ({ deadLetters }) => {
      await deadLetters.requireScope(accountId, filter)
      const letters = await deadLetters.list(accountId, filter, { limit, before: null })
      if (args.isOn('json')) return out(jsonLines(letters.map(deadLetterRecord)))
      out(
        table(
          ['event', 'hook', 'type', 'app', 'created', 'dead since', 'reason', 'last answer'],
          letters.map((letter) => [
            letter.eventId,
            letter.hookId,
            letter.eventType,
            sanitize(`${letter.store} ${letter.appId}`),
            shownAt(letter.createdAt),
            shownAt(letter.deadAt),
            letter.deadReason ?? '-',
            letter.lastHttpStatus === null ? (letter.lastReason ?? '-') : `HTTP ${letter.lastHttpStatus}`,
          ]),
        ),
      )
      const count = await deadLetters.count(accountId, filter)
      const summary = summaryOf(count)
      out(count.count > letters.length ? `The newest ${letters.length} of ${summary}.\n` : `${summary}.\n`)
    })
    return 0
  },
}
