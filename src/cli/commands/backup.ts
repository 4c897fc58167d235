import { existsSync } from 'node:fs'
import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed } from '../command.ts'

export const backup: Command = {
  about:
    'Copies the SQLite database to a new file, whole and consistent, while the service runs. The key that seals the secrets is not in it: keep <data dir>/secret.key apart. For PostgreSQL use pg_dump.',
  options: {},
  positionals: ['FILE'],
  async run({ environment, out }, { positionals: [file = ''] }) {
    if (existsSync(file)) throw new CommandFailed(`${file} is there already; name a file that is not.`)
    await withStorage(environment, async (storage) => {
      if (storage.engine !== 'sqlite') {
        throw new CommandFailed('The database is PostgreSQL, which brings its own tool: use pg_dump.')
      }
      await storage.upkeep.backup(file).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        throw new CommandFailed(
          `${file} could not be written (${why}); its folder must be there, with room for the database and leave to write.`,
        )
      })
    })
    out(`The database was copied to ${file}.\n`)
    return 0
  },
}
