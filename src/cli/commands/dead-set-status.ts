import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { replayText } from './dead-replays.ts'

/** A command that sets the status of a bulk replay. */
function statusCommand(status: 'running' | 'paused' | 'cancelled', about: string): Command {
  return {
    about,
    options: {},
    positionals: ['REPLAY-ID'],
    hint: '"radar dead replays" lists them.',
    async run({ environment, out }, { positionals: [id = ''] }) {
      const replay = await withOperations(environment, ({ deadLetters }) =>
        deadLetters.replays.setStatus(null, id, status),
      )
      out(`${replayText(replay)}\n`)
      return 0
    },
  }
}

export const deadPause = statusCommand('paused', 'Pauses a bulk replay; it keeps its position.')
export const deadResume = statusCommand('running', 'Resumes a paused bulk replay where it stopped.')
export const deadCancel = statusCommand(
  'cancelled',
  'Cancels a bulk replay for good. Queued deliveries stay on the queue; the others stay dead letters.',
)
