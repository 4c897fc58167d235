import { deadLetterRecord } from '../../operations/dead-letters/record.ts'
import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { newFile } from '../new-file.ts'
import { DEAD_OPTIONS, deadFilterOf, lettersText, SCOPE_HINT } from './dead-filter.ts'

export const deadExport: Command = {
  about: 'Prints dead letters with their payloads, one JSON object per line, newest first.',
  options: {
    ...DEAD_OPTIONS,
    file: { value: 'FILE', help: 'Write to this new file instead, readable only by you.' },
  },
  hint: SCOPE_HINT,
  async run({ environment, out, drained }, args) {
    const { accountId, filter } = deadFilterOf(args)
    const path = args.option('file')
    await withOperations(environment, async ({ deadLetters }) => {
      await deadLetters.requireScope(accountId, filter)
      await using file = path === undefined ? null : await newFile(path)
      let count = 0
      for await (const letters of deadLetters.pages(accountId, filter)) {
        count += letters.length
        const lines = letters.map((letter) => `${JSON.stringify(deadLetterRecord(letter))}\n`).join('')
        if (file === null) {
          out(lines)
          await drained()
        } else await file.write(lines)
      }
      if (path !== undefined) out(`${lettersText(count)} written to ${path}.\n`)
    })
    return 0
  },
}
