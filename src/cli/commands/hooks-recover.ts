import { REPLAY_RATE } from '../../model/input-limits.ts'
import type { Recoverable } from '../../operations/recovery.ts'
import { systemClock } from '../../runtime/clock.ts'
import { withOperations } from '../../service/operate.ts'
import { type Command, decimalOption, UsageError } from '../command.ts'
import { INSTANT_HELP, instantOption } from '../instant.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'
import { lettersText } from './dead-filter.ts'
import { waitFor } from './dead-replay.ts'
import { replayText } from './dead-replays.ts'
import { deliveriesText, recordForHook } from './hooks-retry.ts'

export const hooksRecover: Command = {
  about:
    'Sends again the events that a hook has lost since a given time. Pending deliveries are attempted now, and dead letters become a bulk replay. With --delivered it also sends events that the hook accepted since then, for a receiver that lost data. The event_id and the bytes stay the same.',
  options: {
    since: { value: 'TIME', required: true, help: `Start of the failure: ${INSTANT_HELP}.` },
    delivered: { help: 'Also send events that were delivered since then.' },
    rate: {
      value: 'N',
      help: `Events per second, ${REPLAY_RATE.min} to ${REPLAY_RATE.max}; ${REPLAY_RATE.default} by default.`,
    },
    yes: YES_OPTION,
    wait: { help: 'Show the progress until the replay ends.' },
  },
  positionals: ['HOOK-ID'],
  hint: '"radar hooks list" shows the ids in use.',
  async run(io, args) {
    const [id = ''] = args.positionals
    const since = instantOption(args, 'since', systemClock.now())
    if (since === undefined) throw new UsageError('--since TIME is required.')
    const delivered = args.isOn('delivered')
    const ratePerSecond = decimalOption(args, 'rate', REPLAY_RATE.min, REPLAY_RATE.max) ?? REPLAY_RATE.default
    return withOperations(io.environment, async (operations) => {
      const { deadLetters, recovery } = operations
      const count = await recovery.recoverable(null, id, since)
      const question = `${consequences(count, delivered)}.
Attempt the pending ones now and replay the others at ${ratePerSecond} per second?`
      if (!(await confirmed(io, args, question))) return 1
      const { retried, replay } = await recovery.recover(null, id, { since, delivered, ratePerSecond })
      const detail = `since ${since.toISOString()}${delivered ? ', with delivered events' : ''}`
      await recordForHook(operations, id, 'radar hooks recover', 'recovery.started', detail)
      io.out(`${deliveriesText(retried)} due now.\n`)
      if (replay === null) return 0
      io.out(`${replayText(replay)}\n`)
      return args.isOn('wait') ? waitFor(io, deadLetters.replays, [replay]) : 0
    })
  },
}

/** `3 pending, 12 dead letters, 40 delivered`. */
function consequences({ pending, dead, delivered }: Recoverable, withDelivered: boolean): string {
  const parts = [
    `${pending} pending`,
    lettersText(dead),
    ...(withDelivered ? [`${delivered} delivered`] : []),
  ]
  return parts.join(', ')
}
