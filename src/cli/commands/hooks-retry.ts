import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const hooksRetry: Command = {
  about:
    'Brings the next attempt of every pending delivery of a hook forward to now. Each attempt counts. If the breaker is open, one delivery goes first as its probe; the others follow when it is accepted.',
  options: {},
  positionals: ['HOOK-ID'],
  hint: '"radar hooks list" shows the ids in use.',
  async run({ environment, out }, { positionals: [id = ''] }) {
    const moved = await withOperations(environment, ({ recovery }) => recovery.retryPending(null, id))
    out(`${deliveriesText(moved)} brought forward.\n`)
    return 0
  },
}

/** `1 delivery`, `2 deliveries`. */
export function deliveriesText(count: number): string {
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
}
