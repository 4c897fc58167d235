import { readFile } from 'node:fs/promises'

export type LoggedAttempt = { readonly hookId: string; readonly atMs: number; readonly dueToSentMs: number }

/** The attempts that a service logged. */
export async function readAttempts(logFile: string): Promise<LoggedAttempt[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n')
  return lines
    .filter((line) => line.includes('"delivery.attempted"'))
    .map((line) => {
      const { hook_id, time, due_to_sent_ms } = JSON.parse(line)
      return { hookId: hook_id, atMs: Date.parse(time), dueToSentMs: due_to_sent_ms }
    })
}
