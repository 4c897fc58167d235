import { createServer } from 'node:http'
import { listen } from './listen.ts'

/** A free port, for a process that needs a fixed one. */
export async function freePort(): Promise<number> {
  await using listening = await listen(createServer())
  return listening.port
}
