import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A lock on a SQLite file, held by another process. */
export type SqliteLock = AsyncDisposable & {
  /** Releases the lock and resolves when the process has exited. */
  readonly release: () => Promise<void>
}

const HOLDER = `
  const { DatabaseSync } = require('node:sqlite')
  const [file, begin] = process.argv.slice(1)
  const db = new DatabaseSync(file, { timeout: 10000 })
  db.exec(begin)
  process.stdout.write('held')
  process.stdin.resume().on('end', () => { db.exec('rollback'); process.exit() })
`

/** Takes the lock with `begin`. The lock ends with this process at the latest. */
export async function holdSqliteLock(
  file: string,
  begin: 'begin immediate' | 'begin exclusive' = 'begin immediate',
): Promise<SqliteLock> {
  const holder = spawn(process.execPath, ['-e', HOLDER, file, begin], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(holder, 'exit')
  await Promise.race([
    once(holder.stdout, 'data'),
    ended.then(() => {
      throw new Error(`the process that should lock ${file} exited`)
    }),
  ])
  const release = async () => {
    holder.stdin.end()
    await ended
  }
  return { release, [Symbol.asyncDispose]: release }
}
