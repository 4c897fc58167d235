import { replayDeadLetters, withStorage } from '../../service/operate.ts'
import { type Command, UsageError } from '../command.ts'
import { DEAD_OPTIONS, deadFilterOf, deadLetters } from './dead-filter.ts'

/** Put back in one commit. */
const BATCH = 500

export const deadReplay: Command = {
  about:
    'Puts dead letters back on the queue, at once and on a fresh schedule, with the same event_id and bytes: those named, or with --all every one that the options choose. Letters of hooks that are gone stay.',
  options: { ...DEAD_OPTIONS, all: { help: 'Every dead letter that the other options choose.' } },
  positionals: ['EVENT-ID...'],
  async run({ environment, out }, args) {
    const { accountId, filter } = deadFilterOf(args)
    const named = args.positionals
    if (args.isOn('all') === named.length > 0) throw new UsageError('Name the events, or say --all.')
    const count = await withStorage(environment, async (storage, config) => {
      if (named.length > 0) return replayDeadLetters(storage, config, accountId, named)
      let replayed = 0
      let batch: string[] = []
      const flush = async () => {
        replayed += await replayDeadLetters(storage, config, accountId, batch)
        batch = []
      }
      for await (const letter of deadLetters(storage, accountId, filter)) {
        if (batch.push(letter.eventId) >= BATCH) await flush()
      }
      if (batch.length > 0) await flush()
      return replayed
    })
    out(`${count} dead letters go out again.\n`)
    return named.length > 0 && count < named.length ? 1 : 0
  },
}
