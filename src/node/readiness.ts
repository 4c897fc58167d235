import type { Readiness } from '../contract/readiness.ts'
import { sourceProblems } from '../model/source-health.ts'
import type { PartHealth } from '../runtime/supervisor.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { DiskWatch } from './disk-watch.ts'
import type { Timekeeper } from './time/keeper.ts'
import { skewSentence, timeWarnings } from './time/sentences.ts'

type FeedWatch = {
  readonly feeds: Pick<Storage['feeds'], 'overdue'>
  readonly sourceHealth: Pick<Storage['sourceHealth'], 'list'>
}

/**
 * A node is ready while storage responds, every loop of the node works, and its clock agrees with the database's. A jumped clock, overdue
 * feeds and faulty sources are only warnings: they affect all nodes alike, so a load balancer must not remove this one.
 */
export async function readinessOf(deps: {
  readonly storage: FeedWatch & { readonly maintenance: Pick<Storage['maintenance'], 'ping'> }
  readonly keeper: Pick<Timekeeper, 'clock' | 'skewMs' | 'state'>
  readonly parts: readonly PartHealth[]
  readonly disk: Pick<DiskWatch, 'state'>
  readonly stopping: boolean
}): Promise<Readiness> {
  const { storage, keeper, stopping } = deps
  const reasons = deps.parts
    .filter((part) => !part.ok)
    .map((part) => `${part.name}: ${part.detail ?? 'It does not run.'}`)
  const skew = skewSentence(keeper.skewMs(), 'this machine')
  if (skew !== null) reasons.push(skew)
  const [diskReasons, diskWarnings] = diskProblems(deps.disk)
  reasons.push(...diskReasons)
  const answers = !stopping && (await storage.maintenance.ping())
  if (stopping) reasons.push('The service is stopping.')
  else if (!answers) reasons.push('The database does not answer.')
  const warnings = answers ? await warningsOf(storage, keeper) : timeWarnings(keeper)
  return { ready: reasons.length === 0, reasons, warnings: [...diskWarnings, ...warnings] }
}

/** A full disk stops the work of the node; one that is nearly full does not yet. */
function diskProblems(disk: Pick<DiskWatch, 'state'>): [reasons: string[], warnings: string[]] {
  const { level, problem } = disk.state()
  if (problem === null) return [[], []]
  return level === 'full' ? [[problem], []] : [[], [problem]]
}

/** Warnings of a working service: a clock that jumped, overdue feeds, sources of a store with a fault. */
async function warningsOf(
  storage: FeedWatch,
  keeper: Pick<Timekeeper, 'clock' | 'state'>,
): Promise<string[]> {
  return [...timeWarnings(keeper), ...(await feedWarnings(storage, keeper))]
}

async function feedWarnings(
  { feeds, sourceHealth }: FeedWatch,
  { clock }: Pick<Timekeeper, 'clock'>,
): Promise<string[]> {
  try {
    const { count } = await feeds.overdue(clock.now(), 0)
    const overdue =
      count === 0
        ? []
        : [
            `${count} feeds were not polled within twice their interval. "radar doctor" lists them, and stores that block requests.`,
          ]
    return [...overdue, ...sourceProblems(await sourceHealth.list(), clock.now())]
  } catch {
    // The database failed after its response; the next check reports it.
    return []
  }
}
