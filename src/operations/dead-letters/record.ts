import type { DeliveryView } from '../../storage/port/deliveries.ts'

/** A dead letter in the format of all exports, with the payload as an object. */
export function deadLetterRecord(letter: DeliveryView) {
  return { ...fieldsOf(letter), payload: JSON.parse(letter.body) as unknown }
}

/** The columns of a CSV export. */
export const DEAD_LETTER_COLUMNS = [
  'event_id',
  'hook_id',
  'account_id',
  'target_url',
  'event_type',
  'store',
  'app_id',
  'created_at',
  'dead_at',
  'reason',
  'attempts',
  'last_http_status',
  'last_reason',
  'payload',
] as const

/** The cells of those columns, with the payload as sent. */
export function deadLetterCells(letter: DeliveryView): (string | number | null)[] {
  const record = { ...fieldsOf(letter), payload: letter.body }
  return DEAD_LETTER_COLUMNS.map((column) => record[column])
}

function fieldsOf(letter: DeliveryView) {
  return {
    event_id: letter.eventId,
    hook_id: letter.hookId,
    account_id: letter.accountId,
    target_url: letter.targetUrl,
    event_type: letter.eventType,
    store: letter.store,
    app_id: letter.appId,
    created_at: letter.createdAt.toISOString(),
    dead_at: letter.deadAt?.toISOString() ?? null,
    reason: letter.deadReason,
    attempts: letter.attempts,
    last_http_status: letter.lastHttpStatus,
    last_reason: letter.lastReason,
  }
}
