import { systemClock } from '../../runtime/clock.ts'
import { withStorage } from '../../service/operate.ts'
import { type Command, UsageError } from '../command.ts'
import { agreed, YES_OPTION } from './agreed.ts'
import {
  chooses,
  DEAD_OPTIONS,
  deadFilterOf,
  deadLetters,
  deadSummary,
  lettersText,
  requireChosen,
  type Storage,
} from './dead-filter.ts'

/** Resolved in one commit. */
const BATCH = 500

export const deadDiscard: Command = {
  about:
    'Marks dead letters as resolved without sending them: those named, or, after asking, those that the options choose. They leave the list at once and are deleted with the retention.',
  options: { ...DEAD_OPTIONS, all: { help: 'Every dead letter there is.' }, yes: YES_OPTION },
  positionals: ['EVENT-ID...'],
  async run(io, args) {
    const named = args.positionals
    const { accountId, filter } = deadFilterOf(args)
    const chosen = Object.keys(filter).length > 0 || args.isOn('all')
    if (named.length > 0 ? chosen : chooses(args) === args.isOn('all')) {
      throw new UsageError('Name the events, or choose among all by options such as --since, or say --all.')
    }
    return withStorage(io.environment, async (storage) => {
      await requireChosen(storage, accountId, filter)
      if (named.length === 0) {
        const { count, text } = await deadSummary(storage, accountId, filter)
        if (count > 0 && !(await agreed(io, args, `${text}.\nDiscard them?`))) return 1
      }
      const count = await discard(
        storage,
        accountId,
        named.length > 0 ? named : ids(storage, accountId, filter),
      )
      io.out(`${lettersText(count)} discarded.\n`)
      return named.length > 0 && count < new Set(named).size ? 1 : 0
    })
  },
}

async function* ids(...chosen: Parameters<typeof deadLetters>): AsyncGenerator<string> {
  for await (const { eventId } of deadLetters(...chosen)) yield eventId
}

async function discard(
  storage: Storage,
  accountId: string | null,
  eventIds: Iterable<string> | AsyncIterable<string>,
): Promise<number> {
  let discarded = 0
  let batch: string[] = []
  const flush = async () => {
    discarded += await storage.dead.discard(accountId, batch, systemClock.now())
    batch = []
  }
  for await (const eventId of eventIds) {
    if (batch.push(eventId) >= BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  return discarded
}
