import { REPLAY_RATE } from '../../model/input-limits.ts'
import { liveNodes } from '../../node/heartbeat.ts'
import { commandRecord } from '../../operations/audit.ts'
import type { Replay, ReplayOperations } from '../../operations/dead-letters/replays.ts'
import { systemClock } from '../../runtime/clock.ts'
import { withOperations } from '../../service/operate.ts'
import { type Arguments, type Command, CommandFailed, decimalOption, type Io } from '../command.ts'
import { stopSignals } from '../stop-signal.ts'
import { confirmed, YES_OPTION } from './confirmed.ts'
import { DEAD_OPTIONS, deadFilterOf, lettersText, SCOPE_HINT, selectionOf, summaryOf } from './dead-filter.ts'
import { replayText } from './dead-replays.ts'

export const deadReplay: Command = {
  about:
    'Queues dead letters again with new retries, the same event_id and the same bytes. Events named as arguments are due at once. Those that the options select become a bulk replay, after a confirmation; --since alone selects everything not delivered since then. The service sends a bulk replay at a rate, and "radar dead replays" shows its progress. Dead letters of hooks that are gone or deleted stay.',
  options: {
    ...DEAD_OPTIONS,
    all: { help: 'Select every dead letter.' },
    rate: {
      value: 'N',
      help: `Dead letters per second, ${REPLAY_RATE.min} to ${REPLAY_RATE.max}; ${REPLAY_RATE.default} by default.`,
    },
    yes: YES_OPTION,
    wait: { help: 'Show the progress until the replay ends.' },
  },
  positionals: ['EVENT-ID...'],
  hint: SCOPE_HINT,
  run(io, args) {
    return selectionOf(args) === 'named' ? replayNamed(io, args) : replaySelected(io, args)
  },
}

async function replayNamed({ environment, out, err }: Io, args: Arguments): Promise<number> {
  const { accountId, filter } = deadFilterOf(args)
  const { replayed, skipped } = await withOperations(environment, async ({ audit, deadLetters }) => {
    await deadLetters.requireScope(accountId, filter)
    const result = await deadLetters.replay(accountId, args.positionals)
    if (accountId !== null) {
      const detail = lettersText(result.replayed)
      await audit.record(
        commandRecord('radar dead replay', {
          accountId,
          action: 'dead_letters.replayed',
          target: null,
          detail,
        }),
      )
    }
    return result
  })
  out(`${lettersText(replayed)} queued again.\n`)
  if (skipped > 0) {
    err(
      `${skipped} of the named events ${skipped === 1 ? 'is not a dead letter, or its hook is' : 'are not dead letters, or their hooks are'} gone or deleted.\n`,
    )
  }
  return skipped > 0 ? 1 : 0
}

async function replaySelected(io: Io, args: Arguments): Promise<number> {
  const { accountId, filter } = deadFilterOf(args)
  const rate = decimalOption(args, 'rate', REPLAY_RATE.min, REPLAY_RATE.max) ?? REPLAY_RATE.default
  return withOperations(io.environment, async ({ audit, deadLetters }, { maintenance }) => {
    await deadLetters.requireScope(accountId, filter)
    const count = await deadLetters.count(accountId, filter)
    if (count.count === 0) {
      io.out('No dead letter matches.\n')
      return 0
    }
    if (!(await confirmed(io, args, `${summaryOf(count)}.\nReplay them at ${rate} per second?`))) return 1
    const replays =
      accountId === null
        ? await deadLetters.replays.startForAll(filter, rate)
        : [await deadLetters.replays.start(accountId, filter, rate)]
    for (const replay of replays) {
      const { accountId: owner, id, total } = replay
      const change = {
        accountId: owner,
        action: 'replay.started',
        target: id,
        detail: lettersText(total),
      } as const
      await audit.record(commandRecord('radar dead replay', change))
      io.out(`${replayText(replay)}\n`)
    }
    const left = count.count - replays.reduce((sum, { total }) => sum + total, 0)
    if (left > 0) io.err(`${lettersText(left)} of hooks that are gone or deleted: not replayed.\n`)
    const nodes = await liveNodes(maintenance, systemClock.now())
    if (!nodes.some(({ roles }) => roles.includes('send'))) {
      io.err('No node with the role send is running. The replay starts when one is started.\n')
    }
    return args.isOn('wait') ? waitFor(io, deadLetters.replays, replays) : 0
  })
}

/** Ctrl-C ends the wait, not the replays. */
export async function waitFor(
  { err }: Io,
  operations: ReplayOperations,
  replays: readonly Replay[],
): Promise<number> {
  using signals = stopSignals()
  const stopped = new AbortController()
  void signals.first.then(() => stopped.abort())
  let last = replays
  for await (const current of operations.watch(replays, stopped.signal)) {
    for (const replay of current) err(`${replayText(replay)}\n`)
    last = current
  }
  if (stopped.signal.aborted) {
    throw new CommandFailed('The replay continues in the service. "radar dead replays" shows its progress.')
  }
  return last.every(({ status }) => status === 'done') ? 0 : 1
}
