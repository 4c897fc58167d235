import { FEED_KINDS, STORES } from '../../model/vocabulary.ts'
import type { DueWork, FeedQueue } from '../port/maintenance.ts'
import { dateOrNull } from '../values.ts'

/** Every queue of feeds, with the name of its column. */
export const FEED_QUEUES = STORES.flatMap((store) =>
  FEED_KINDS.map((kind) => ({
    store,
    kind,
    queue: `${store}.${kind}` as const,
    column: `${store}_${kind}_at` as const,
  })),
)

export type DueWorkRow = Readonly<
  Record<
    | (typeof FEED_QUEUES)[number]['column']
    | 'enrich_at'
    | 'fan_out_at'
    | 'send_at'
    | 'replay_at'
    | 'official_at'
    | 'history_at'
    | 'reply_at',
    number | null
  >
>

export function dueWorkOf(row: DueWorkRow): DueWork {
  return {
    polls: Object.fromEntries(
      FEED_QUEUES.map(({ queue, column }) => [queue, dateOrNull(row[column])]),
    ) as Record<FeedQueue, Date | null>,
    enrichAt: dateOrNull(row.enrich_at),
    fanOutAt: dateOrNull(row.fan_out_at),
    sendAt: dateOrNull(row.send_at),
    replayAt: dateOrNull(row.replay_at),
    officialAt: dateOrNull(row.official_at),
    historyAt: dateOrNull(row.history_at),
    replyAt: dateOrNull(row.reply_at),
  }
}
