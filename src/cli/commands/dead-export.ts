import { withStorage } from '../../service/operate.ts'
import type { Command } from '../command.ts'
import { DEAD_OPTIONS, deadFilterOf, deadLetters } from './dead-filter.ts'

export const deadExport: Command = {
  about: 'Prints dead letters with their payloads, one JSON object a line, newest first.',
  options: DEAD_OPTIONS,
  async run({ environment, out }, args) {
    const { accountId, filter } = deadFilterOf(args)
    await withStorage(environment, async (storage) => {
      for await (const letter of deadLetters(storage, accountId, filter)) {
        out(
          `${JSON.stringify({
            event_id: letter.eventId,
            hook_id: letter.hookId,
            account_id: letter.accountId,
            target_url: letter.targetUrl,
            created_at: letter.createdAt.toISOString(),
            dead_at: letter.deadAt?.toISOString() ?? null,
            reason: letter.deadReason,
            attempts: letter.attempts,
            last_http_status: letter.lastHttpStatus,
            last_reason: letter.lastReason,
            payload: letter.body === null ? null : JSON.parse(letter.body),
          })}\n`,
        )
      }
    })
    return 0
  },
}
