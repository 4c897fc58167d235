import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const migrate: Command = {
  about: 'Brings the database to the newest schema. The service does so by itself when it starts.',
  options: {},
  async run({ environment, out }) {
    await withStorage(environment, async () => {})
    out('The database has the newest schema.\n')
    return 0
  },
}
