import { counted } from '../../model/counted.ts'
import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, note, ok, problem } from './finding.ts'
import { seconds } from './seconds.ts'

export type QueueStorage = {
  readonly maintenance: Pick<Storage['maintenance'], 'depths' | 'dueWork'>
  readonly occurrences: Pick<Storage['occurrences'], 'enrichmentFailures'>
}

/** A hook that has been due longer has no sender, because senders check within seconds. */
const DUE_LATE_MS = 60_000
/** Older failures of enrichment are not shown. */
const FAILURES_SHOWN_MS = 7 * 24 * 60 * 60_000

/** With `deadLetters` also those of all accounts; the status page has those of one. */
export async function* queueFindings(
  storage: QueueStorage,
  clock: Pick<Clock, 'now'>,
  { deadLetters = false }: { readonly deadLetters?: boolean } = {},
): AsyncGenerator<Finding> {
  const now = clock.now()
  const depths = await storage.maintenance.depths(now)
  // The age of the oldest delivery would not do: in a backlog it is high although a node is sending.
  const { sendAt } = await storage.maintenance.dueWork(now)
  const lateMs = sendAt === null ? 0 : now.getTime() - sendAt.getTime()
  yield lateMs > DUE_LATE_MS
    ? problem('no sender', `No node is sending deliveries: the oldest due one is ${seconds(lateMs)} late.`, {
        since: sendAt,
        effect: `${counted(depths.pending, 'delivery', 'deliveries')} pending.`,
        action: 'Start a node with the role "send" (RADAR_ROLES).',
        page: '/system',
      })
    : ok(`${depths.pending} deliveries are pending, ${depths.held} are held by paused hooks.`)
  if (depths.waitingForEnrichment + depths.waitingForFanOut > 0) {
    yield ok(
      `${depths.waitingForEnrichment} reviews are pending enrichment, ${depths.waitingForFanOut} occurrences are pending fan-out.`,
    )
  }
  const failures = await storage.occurrences.enrichmentFailures(later(now, -FAILURES_SHOWN_MS))
  if (failures.length > 0) {
    const reasons = failures.map(({ failure, count }) => `${failure} ${count}`).join(', ')
    yield note('enrichment', `Reviews of the last 7 days without enrichment, by reason: ${reasons}.`, {
      effect: 'Their events have no sentiment, themes and summary.',
      action: 'Run "radar enrich --since 7d" to try them again.',
    })
  }
  if (depths.breakersOpen > 0) {
    yield ok(`${counted(depths.breakersOpen, 'hook')} with an open breaker after repeated failures.`)
  }
  if (deadLetters) yield deadLetterFinding(depths.dead)
}

function deadLetterFinding(dead: number): Finding {
  return dead === 0
    ? ok('There are no dead letters.')
    : problem('dead_letters', `${counted(dead, 'dead letter')}: events that no receiver accepted.`, {
        action: '"radar dead list" shows the reasons, "radar dead replay" replays them.',
      })
}
