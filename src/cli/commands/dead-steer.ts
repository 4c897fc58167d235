import { systemClock } from '../../runtime/clock.ts'
import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'
import { replayText } from './dead-replays.ts'

/** A command that moves a bulk replay to `status`. */
function steering(status: 'running' | 'paused' | 'cancelled', about: string): Command {
  return {
    about,
    options: {},
    positionals: ['REPLAY-ID'],
    async run({ environment, out }, { positionals: [id = ''] }) {
      const replay = await withStorage(environment, (storage) =>
        storage.dead.setReplayStatus(null, id, status, systemClock.now()),
      )
      if (replay === null) {
        throw new CommandFailed(
          `There is no bulk replay ${id} that still goes on. "radar dead replays" shows them.`,
        )
      }
      out(`${replayText(replay)}\n`)
      return 0
    },
  }
}

export const deadPause = steering('paused', 'Stops a bulk replay for the time being; its place is kept.')
export const deadResume = steering('running', 'Lets a paused bulk replay go on where it stopped.')
export const deadCancel = steering(
  'cancelled',
  'Ends a bulk replay for good. What was put back already stays on the queue, the rest stay dead letters.',
)
