import type { Clock } from '../../runtime/clock.ts'
import { later } from '../../runtime/instant.ts'
import type { Storage } from '../../storage/port/storage.ts'
import { type Finding, note, ok, problem } from './finding.ts'
import { seconds } from './seconds.ts'

/** A hook that has been due longer has no sender, because senders check within seconds. */
const DUE_LATE_MS = 60_000
/** Older failures of enrichment are not shown. */
const FAILURES_SHOWN_MS = 7 * 24 * 60 * 60_000

export async function* queueFindings(storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const now = clock.now()
  const depths = await storage.maintenance.depths(now)
  // The age of the oldest delivery would not do: in a backlog it is high although a node is sending.
  const { sendAt } = await storage.maintenance.dueWork(now)
  const lateMs = sendAt === null ? 0 : now.getTime() - sendAt.getTime()
  yield lateMs > DUE_LATE_MS
    ? problem(
        `${depths.pending} deliveries are pending, and none was claimed for ${seconds(lateMs)}: is a node with the role send running?`,
      )
    : ok(`${depths.pending} deliveries are pending, ${depths.held} are held by paused hooks.`)
  if (depths.waitingForEnrichment + depths.waitingForFanOut > 0) {
    yield note(
      `${depths.waitingForEnrichment} reviews are pending enrichment, ${depths.waitingForFanOut} occurrences are pending fan-out.`,
    )
  }
  const failures = await storage.occurrences.enrichmentFailures(later(now, -FAILURES_SHOWN_MS))
  if (failures.length > 0) {
    const reasons = failures.map(({ failure, count }) => `${failure} ${count}`).join(', ')
    yield note(
      `Reviews of the last 7 days without enrichment, by reason: ${reasons}. "radar enrich --since 7d" retries them.`,
    )
  }
  if (depths.breakersOpen > 0) {
    yield note(`${depths.breakersOpen} hooks have an open breaker after repeated failures.`)
  }
  yield depths.dead === 0
    ? ok('There are no dead letters.')
    : problem(
        `There are ${depths.dead} dead letters: "radar dead list" shows the reasons, "radar dead replay" replays them.`,
      )
}
