import { configOf } from '../../service/config/config.ts'
import { openConfigured } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { JSON_OPTION, jsonLine, sanitize } from '../table.ts'

const MARKS = { ok: 'ok   ', note: 'note ', problem: 'BAD  ' } as const

export const doctor: Command = {
  about:
    'Checks the settings, the database, the key, the nodes, the queues, every feed and the connection to the stores (one request each), and prints what to do. Fails when something requires attention.',
  options: { json: JSON_OPTION },
  async run({ environment, out }, args) {
    const config = configOf(environment)
    const print = (grade: keyof typeof MARKS, text: string) =>
      out(args.isOn('json') ? jsonLine({ grade, text }) : `${MARKS[grade]}${sanitize(text)}\n`)
    print('ok', 'The settings are valid.')
    await using storage = await openConfigured(config)
    print('ok', 'The database opens and has the newest schema.')
    const { diagnose } = await import('../../service/doctor.ts')
    let healthy = true
    for await (const { grade, text } of diagnose(config, storage)) {
      if (grade === 'problem') healthy = false
      print(grade, text)
    }
    return healthy ? 0 : 1
  },
}
