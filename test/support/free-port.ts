import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** A free port of this machine: for a process that needs a fixed port, or restarts on the same one. */
export async function freePort(): Promise<number> {
  await using listening = await listen(createServer())
  return listening.port
}
