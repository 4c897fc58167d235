import { configOf } from '../../service/config/config.ts'
import { openConfigured } from '../../service/operate.ts'
import type { Command } from '../command.ts'

/** More than a feed holds; nobody reads further. */
const ROWS_SHOWN_MAX = 1_000

export const quarantine: Command = {
  about:
    'Prints rows of store pages that could not be read as reviews, with what is wrong and their raw form, as JSON lines, those last seen first. They are tried again at each poll that meets them, and delivered as new reviews once they can be read.',
  options: {},
  async run({ environment, out }) {
    await using storage = await openConfigured(configOf(environment))
    for (const row of await storage.feeds.quarantined({ limit: ROWS_SHOWN_MAX })) {
      out(`${JSON.stringify(row)}\n`)
    }
    return 0
  },
}
