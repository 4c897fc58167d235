import { commandRecord } from '../../operations/audit.ts'
import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { replayText } from './dead-replays.ts'

/** A command that sets the status of a bulk replay. */
function statusCommand(verb: string, status: 'running' | 'paused' | 'cancelled', about: string): Command {
  return {
    about,
    options: {},
    positionals: ['REPLAY-ID'],
    hint: '"radar dead replays" lists them.',
    async run({ environment, out }, { positionals: [id = ''] }) {
      const replay = await withOperations(environment, async ({ audit, deadLetters }) => {
        const changed = await deadLetters.replays.setStatus(null, id, status)
        const { accountId } = changed
        const change = { accountId, action: 'replay.changed', target: id, detail: status } as const
        await audit.record(commandRecord(`radar dead ${verb}`, change))
        return changed
      })
      out(`${replayText(replay)}\n`)
      return 0
    },
  }
}

export const deadPause = statusCommand('pause', 'paused', 'Pauses a bulk replay; it keeps its position.')
export const deadResume = statusCommand('resume', 'running', 'Resumes a paused bulk replay where it stopped.')
export const deadCancel = statusCommand(
  'cancel',
  'cancelled',
  'Cancels a bulk replay permanently. Queued deliveries stay queued; the others stay dead letters.',
)
