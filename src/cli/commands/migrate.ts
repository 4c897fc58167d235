import { type Config, configOf, withAuthority } from '../../service/config/config.ts'
import { databaseUrl } from '../../service/config/parse.ts'
import { withStorage } from '../../service/operate.ts'
import { type Command, CommandFailed, type Io } from '../command.ts'
import { table } from '../table.ts'

export const migrate: Command = {
  about:
    'Updates the database to the newest schema; the service also does this when it starts. With --to it instead copies a SQLite database to an empty PostgreSQL database, completely or not at all, and compares every table with its copy. Stop the service first. The SQLite database is not changed.',
  options: {
    to: {
      value: 'URL',
      help: 'postgres://<user>@<host>/<database>. A password may also come from PGPASSWORD or ~/.pgpass.',
    },
  },
  async run(io, args) {
    const to = args.option('to')
    if (to !== undefined) return move(io, configOf(io.environment), to)
    await withStorage(io.environment, async () => {}, { mayCreate: true })
    io.out('The database has the newest schema.\n')
    return 0
  },
}

/** Rows between two progress lines of a table. */
const ROWS_PER_LINE = 250_000

async function move({ out, err }: Io, config: Config, url: string): Promise<number> {
  if (!databaseUrl.safeParse(url).success || !url.startsWith('postgres')) {
    throw new CommandFailed(
      `--to must be postgres://<user>:<password>@<host>/<database>; the given URL starts with "${url.slice(0, 9)}".`,
    )
  }
  const { moveToPostgres, settingsAfterMove } = await import('../../service/move.ts')
  let shownRows = 0
  const moved = await moveToPostgres(config, withAuthority(url, config.databaseCaFile), (progress) => {
    const { rows, total } = progress
    if (rows === 0) shownRows = 0
    if (total === 0) return
    const last = rows === total
    if (!last && rows < shownRows + ROWS_PER_LINE) return
    shownRows = rows
    err(`${progress.table}: ${grouped(rows)} of ${grouped(total)} rows copied${last ? '' : ' …'}\n`)
  })
  const rows = moved.reduce((sum, each) => sum + each.rows, 0)
  const filled = moved.filter((each) => each.rows > 0)
  out(
    table(
      ['table', 'rows'],
      filled.map((each) => [each.table, grouped(each.rows)]),
    ),
  )
  out(`
Moved: ${grouped(rows)} rows in ${filled.length} tables; counts and checksums are equal. The SQLite database was not changed.

From now on, start the service on any number of machines with
  ${settingsAfterMove(config, url).join('\n  ')}
The key is unchanged. Copy its file to each machine that does not have it.
Do not start the service on the SQLite database again: both would send the same events.
`)
  return 0
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
