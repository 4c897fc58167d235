import { configOf } from '../../service/config/config.ts'
import { openConfigured } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { sanitize } from '../table.ts'

const MARKS = { ok: 'ok   ', note: 'note ', problem: 'BAD  ' } as const

export const doctor: Command = {
  about:
    'Checks the settings, the database, the key, the nodes, the queues, every feed and the connection to the stores (one request each), and prints what to do. Fails when something requires attention.',
  options: {},
  async run({ environment, out }) {
    const config = configOf(environment)
    out(`${MARKS.ok}The settings are valid.\n`)
    await using storage = await openConfigured(config)
    out(`${MARKS.ok}The database opens and has the newest schema.\n`)
    const { diagnose } = await import('../../service/doctor.ts')
    let healthy = true
    for await (const { grade, text } of diagnose(config, storage)) {
      if (grade === 'problem') healthy = false
      out(`${MARKS[grade]}${sanitize(text)}\n`)
    }
    return healthy ? 0 : 1
  },
}
