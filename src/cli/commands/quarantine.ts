import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'

/** Ten times the limit of one feed. */
const ROWS_SHOWN_MAX = 1_000

export const quarantine: Command = {
  about:
    'Prints the quarantined rows: rows of store pages that could not be parsed as reviews, with the error and the raw row, as JSON lines, last seen first. Each poll that finds such a row parses it again, and delivers it as a new review when that succeeds.',
  options: { json: { help: 'Print one JSON object per line; there is no other format.' } },
  async run({ environment, out, err }) {
    const rows = await withStorage(environment, ({ feeds }) => feeds.quarantined({ limit: ROWS_SHOWN_MAX }))
    for (const row of rows) out(`${JSON.stringify(row)}\n`)
    if (rows.length === 0) err('No rows are in quarantine.\n')
    return 0
  },
}
