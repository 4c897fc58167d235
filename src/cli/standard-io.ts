import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { processEnvironment } from '../service/config/env.ts'
import { CommandFailed, type Io } from './command.ts'

/** The input and output of this process. */
export function standardIo(): Io {
  const { stdin, stdout, stderr } = process
  let isClosed = false
  stdout.on('error', () => {
    isClosed = true
  })
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    drained: async () => {
      // A failed write, e.g. with `| head`, also ends the wait.
      if (stdout.writableNeedDrain && !isClosed) await once(stdout, 'drain').catch(() => {})
      if (isClosed) throw new CommandFailed('The reader of the output has stopped reading.')
    },
    confirm: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY) return null
      const terminal = createInterface({ input: stdin, output: stderr })
      // Ctrl-C and Ctrl-D close the terminal without an answer.
      const closed = once(terminal, 'close').then(() => '')
      const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed])
      terminal.close()
      return /^y(es)?$/i.test(answer.trim())
    },
    environment: processEnvironment(),
  }
}
