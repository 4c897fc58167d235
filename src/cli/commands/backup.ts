import { existsSync } from 'node:fs'
import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'

export const backup: Command = {
  about:
    'Copies the SQLite database to a new file, consistently, while the service runs. The copy does not contain the key that encrypts the secrets: back up <data dir>/secret.key separately. For PostgreSQL use pg_dump.',
  options: {},
  positionals: ['FILE'],
  async run({ environment, out }, { positionals: [file = ''] }) {
    if (existsSync(file)) throw new CommandFailed(`${file} already exists; specify a new file.`)
    await withStorage(environment, async (storage) => {
      if (storage.engine !== 'sqlite') {
        throw new CommandFailed('The database is PostgreSQL: use pg_dump.')
      }
      await storage.maintenance.backup(file).catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error)
        throw new CommandFailed(
          `${file} could not be written (${problem}); its folder must exist, be writable and have room for the database.`,
        )
      })
    })
    out(`The database was copied to ${file}.\n`)
    return 0
  },
}
