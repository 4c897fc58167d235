import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** A port of this machine that nobody has now: for a process that has to be told one, or comes back on the same. */
export async function freePort(): Promise<number> {
  await using listening = await listen(createServer())
  return listening.port
}
