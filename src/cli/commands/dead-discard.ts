import { commandRecord } from '../../operations/audit.ts'
import { withOperations } from '../../service/operate.ts'
import type { Arguments, Command, Io } from '../command.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'
import { DEAD_OPTIONS, deadFilterOf, lettersText, SCOPE_HINT, selectionOf, summaryOf } from './dead-filter.ts'

export const deadDiscard: Command = {
  about:
    'Resolves dead letters without sending them: those named as arguments, or those that the options select, after a confirmation. They disappear from the list at once and are deleted after the retention period.',
  options: { ...DEAD_OPTIONS, all: { help: 'Select every dead letter.' }, yes: YES_OPTION },
  positionals: ['EVENT-ID...'],
  hint: SCOPE_HINT,
  run(io, args) {
    return selectionOf(args) === 'named' ? discardNamed(io, args) : discardSelected(io, args)
  },
}

async function discardNamed({ environment, out, err }: Io, args: Arguments): Promise<number> {
  const { accountId, filter } = deadFilterOf(args)
  const { discarded, skipped } = await withOperations(environment, async ({ audit, deadLetters }) => {
    await deadLetters.requireScope(accountId, filter)
    const result = await deadLetters.discard(accountId, args.positionals)
    if (accountId !== null) {
      const detail = lettersText(result.discarded)
      await audit.record(
        commandRecord('radar dead discard', {
          accountId,
          action: 'dead_letters.discarded',
          target: null,
          detail,
        }),
      )
    }
    return result
  })
  out(`${lettersText(discarded)} discarded.\n`)
  if (skipped > 0)
    err(
      `${skipped} of the named events ${skipped === 1 ? 'is not a dead letter' : 'are not dead letters'}.\n`,
    )
  return skipped > 0 ? 1 : 0
}

async function discardSelected(io: Io, args: Arguments): Promise<number> {
  const { accountId, filter } = deadFilterOf(args)
  return withOperations(io.environment, async ({ audit, deadLetters }) => {
    await deadLetters.requireScope(accountId, filter)
    const count = await deadLetters.count(accountId, filter)
    const question = `${summaryOf(count)}.\nDiscard them?`
    if (count.count > 0 && !(await confirmed(io, args, question))) return 1
    const detail = lettersText(await deadLetters.discardMatching(accountId, filter))
    if (accountId !== null) {
      const change = { accountId, action: 'dead_letters.discarded', target: null, detail } as const
      await audit.record(commandRecord('radar dead discard', change))
    }
    io.out(`${detail} discarded.\n`)
    return 0
  })
}
