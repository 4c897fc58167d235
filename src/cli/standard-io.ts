import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { processEnvironment } from '../service/config/env.ts'
import { CommandFailed, type Io } from './command.ts'

/** The input and output of this process. */
export function standardIo(): Io {
  const { stdin, stdout, stderr } = process
  let gone = false
  stdout.on('error', () => {
    gone = true
  })
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    drained: async () => {
      // A failed write, as into `| head`, ends the wait too.
      if (stdout.writableNeedDrain && !gone) await once(stdout, 'drain').catch(() => {})
      if (gone) throw new CommandFailed('The reader of the output has stopped reading.')
    },
    confirm: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY) return null
      const terminal = createInterface({ input: stdin, output: stderr })
      // Ctrl-C and Ctrl-D close it without an answer.
      const closed = once(terminal, 'close').then(() => '')
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
      terminal.close()
      return /^y(es)?$/i.test(answer.trim())
    },
    environment: processEnvironment(),
  }
}
