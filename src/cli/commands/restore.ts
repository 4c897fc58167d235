import { existsSync } from 'node:fs'
import { systemClock } from '../../runtime/clock.ts'
import { configOf } from '../../service/config/config.ts'
import { sqliteFileOf } from '../../service/operate.ts'
import { VERSION } from '../../service/version.ts'
import { type Command, CommandFailed } from '../command.ts'

export const restore: Command = {
  about:
    'Replaces the SQLite database by a copy of a backup. It checks the backup first, and renames the present database instead of deleting it. Stop the service first. For PostgreSQL use pg_restore.',
  options: {},
  positionals: ['FILE'],
  async run({ environment, out }, { positionals: [backup = ''] }) {
    const file = sqliteFileOf(configOf(environment))
    if (file === null) throw new CommandFailed('The database is PostgreSQL: use pg_restore.')
    if (!existsSync(backup)) throw new CommandFailed(`There is no file ${backup}.`)
    const { restoreSqlite } = await import('../../service/restore.ts')
    const kept = await restoreSqlite({ file, backup, serviceVersion: VERSION, now: systemClock.now() })
    out(`${file} is now a copy of ${backup}.\n`)
    if (kept !== null)
      out(`The former database is ${kept}. Delete it, with its -wal and -shm, when you do not need it.\n`)
    out('Run "radar doctor", then start the service.\n')
    return 0
  },
}
