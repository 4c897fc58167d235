import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { newFile } from '../new-file.ts'
import {
  DEAD_OPTIONS,
  type DeadLetter,
  deadFilterOf,
  deadLetters,
  lettersText,
  requireChosen,
} from './dead-filter.ts'

export const deadExport: Command = {
  about: 'Prints dead letters with their payloads, one JSON object a line, newest first.',
  options: {
    ...DEAD_OPTIONS,
    file: { value: 'FILE', help: 'Write to this new file, readable by you alone, instead.' },
  },
  async run({ environment, out, drained }, args) {
    const { accountId, filter } = deadFilterOf(args)
    const path = args.option('file')
    await withStorage(environment, async (storage) => {
      await requireChosen(storage, accountId, filter)
      await using file = path === undefined ? null : await newFile(path)
      let count = 0
      for await (const letter of deadLetters(storage, accountId, filter)) {
        count += 1
        const line = `${JSON.stringify(presentLetter(letter))}\n`
        if (file === null) {
          out(line)
          await drained()
        } else await file.write(line)
      }
      if (path !== undefined) out(`${lettersText(count)} written to ${path}.\n`)
    })
    return 0
  },
}

function presentLetter(letter: DeadLetter) {
  return {
    event_id: letter.eventId,
    hook_id: letter.hookId,
    account_id: letter.accountId,
    target_url: letter.targetUrl,
    created_at: letter.createdAt.toISOString(),
    dead_at: letter.deadAt?.toISOString() ?? null,
    reason: letter.deadReason,
    attempts: letter.attempts,
    last_http_status: letter.lastHttpStatus,
    last_reason: letter.lastReason,
    payload: JSON.parse(letter.body),
  }
}
