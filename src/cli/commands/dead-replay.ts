import { systemClock } from '../../runtime/clock.ts'
import { type Replay, startReplays, watchReplays } from '../../service/bulk-replay.ts'
import { livingNodes } from '../../service/heartbeat.ts'
import { replayDeadLetters, withStorage } from '../../service/operate.ts'
import { type Arguments, type Command, CommandFailed, type Io, numberOption, UsageError } from '../command.ts'
import { requireAccount } from '../require-account.ts'
import { stopSignals } from '../stop-signal.ts'
import { agreed, YES_OPTION } from './agreed.ts'
import {
  chooses,
  DEAD_OPTIONS,
  deadFilterOf,
  deadSummary,
  lettersText,
  requireChosen,
  type Storage,
} from './dead-filter.ts'
import { replayText } from './dead-replays.ts'

/** What the console proposes too. */
const RATE_PER_SECOND = 10

export const deadReplay: Command = {
  about:
    'Puts dead letters back on the queue, on a fresh schedule, with the same event_id and bytes. Those named go out at once. Those chosen by options (--since alone: everything that was not delivered since then) become a stored job, which the service works off at a rate, and which "radar dead replays" shows; you are told how many they are and asked first. Letters of hooks that are gone stay.',
  options: {
    ...DEAD_OPTIONS,
    all: { help: 'Every dead letter there is.' },
    rate: { value: 'N', help: `Of the job: letters a second, 1 to 1000; ${RATE_PER_SECOND} without it.` },
    yes: YES_OPTION,
    wait: { help: 'Show the progress of the job until every letter was put back.' },
  },
  positionals: ['EVENT-ID...'],
  async run(io, args) {
    const named = args.positionals
    if (named.length > 0) return replayNamed(io, args, named)
    if (chooses(args) === args.isOn('all')) {
      throw new UsageError('Name the events, choose among all by options such as --since, or say --all.')
    }
    return replayChosen(io, args)
  },
}

async function replayNamed(io: Io, args: Arguments, eventIds: readonly string[]): Promise<number> {
  const unfit = Object.keys(DEAD_OPTIONS).find(
    (name) => name !== 'account' && args.option(name) !== undefined,
  )
  if (unfit !== undefined || args.isOn('all')) {
    throw new UsageError(`Events are named, so --${unfit ?? 'all'} chooses nothing: leave out one of both.`)
  }
  const accountId = args.option('account') ?? null
  const count = await withStorage(io.environment, async (storage, config) => {
    await requireAccount(storage, accountId)
    return replayDeadLetters(storage, config, accountId, eventIds)
  })
  io.out(`${lettersText(count)} ${count === 1 ? 'goes' : 'go'} out again.\n`)
  const left = new Set(eventIds).size - count
  if (left > 0)
    io.err(`${left} of those named ${left === 1 ? 'is' : 'are'} no dead letter of a hook that still is.\n`)
  return left > 0 ? 1 : 0
}

async function replayChosen(io: Io, args: Arguments): Promise<number> {
  const { accountId, filter } = deadFilterOf(args)
  const rate = numberOption(args, 'rate', 1, 1_000) ?? RATE_PER_SECOND
  return withStorage(io.environment, async (storage) => {
    await requireChosen(storage, accountId, filter)
    const { count, text } = await deadSummary(storage, accountId, filter)
    if (count === 0) {
      io.out('No dead letter matches.\n')
      return 0
    }
    const question = `${text}.\nSend them again, ${rate} a second?`
    if (!(await agreed(io, args, question))) return 1
    const replays = await startReplays(storage, accountId, filter, rate)
    for (const replay of replays) io.out(`${replayText(replay)}\n`)
    const stay = count - replays.reduce((sum, { total }) => sum + total, 0)
    if (stay > 0) io.err(`${lettersText(stay)} of hooks that are gone or deleted: left as they are.\n`)
    await tellWhoSends(io, storage)
    return args.isOn('wait') ? watch(io, storage, replays) : 0
  })
}

async function tellWhoSends({ err }: Io, storage: Storage): Promise<void> {
  const nodes = await livingNodes(storage.upkeep, systemClock.now())
  if (nodes.some(({ roles }) => roles.includes('send'))) return
  err('No node with the role send runs now: they go out once one does.\n')
}

/** Stopping to watch stops nothing else. */
async function watch({ err }: Io, storage: Storage, replays: readonly Replay[]): Promise<number> {
  using signals = stopSignals()
  const enough = new AbortController()
  void signals.first.then(() => enough.abort())
  let last = replays
  for await (const jobs of watchReplays(storage, replays, enough.signal)) {
    for (const job of jobs) err(`${replayText(job)}\n`)
    last = jobs
  }
  if (enough.signal.aborted) {
    throw new CommandFailed('No longer watched; the job goes on. "radar dead replays" shows it.')
  }
  return last.every(({ status }) => status === 'done') ? 0 : 1
}
