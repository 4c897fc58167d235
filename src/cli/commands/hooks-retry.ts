import { commandRecord } from '../../operations/audit.ts'
import type { StoredOperations } from '../../operations/operations.ts'
import { withOperations } from '../../service/operate.ts'
import type { Command } from '../command.ts'

export const hooksRetry: Command = {
  about:
    'Makes every pending delivery of a hook due now. Each attempt counts. If the breaker is open, one delivery is sent first as its probe; the others follow when it is accepted.',
  options: {},
  positionals: ['HOOK-ID'],
  hint: '"radar hooks list" shows the ids in use.',
  async run({ environment, out }, { positionals: [id = ''] }) {
    const moved = await withOperations(environment, async (operations) => {
      const retried = await operations.recovery.retryPending(null, id)
      await recordForHook(operations, id, 'radar hooks retry', 'hook.retried', deliveriesText(retried))
      return retried
    })
    out(`${deliveriesText(moved)} due now.\n`)
    return 0
  },
}

/** Records a command on a hook of any account in its audit log. */
export async function recordForHook(
  { audit, hooks }: Pick<StoredOperations, 'audit' | 'hooks'>,
  id: string,
  command: string,
  action: 'hook.retried' | 'recovery.started',
  detail: string,
): Promise<void> {
  const accountId = (await hooks.list(null)).find((hook) => hook.id === id)?.accountId
  if (accountId === undefined) return
  await audit.record(commandRecord(command, { accountId, action, target: id, detail }))
}

/** `1 delivery`, `2 deliveries`. */
export function deliveriesText(count: number): string {
  return `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
}
