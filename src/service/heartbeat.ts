import { newId } from '../model/ids.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Node, UpkeepStorage } from '../storage/port/upkeep.ts'

/** How often a node tells that it lives; whoever was silent for several of these is gone. */
export const HEARTBEAT_MS = 10_000
/** Three beats missed: it was killed, or cannot reach the database. */
export const SILENT_MS = 3 * HEARTBEAT_MS

/** A killed node is shown as silent for so long, then forgotten. Chosen: whoever looks the morning after still sees it. */
const FORGOTTEN_MS = 24 * 3_600_000

/** Whether a node was heard of within the last 30 s. */
export function isLiving({ seenAt }: Node, now: Date): boolean {
  return Math.abs(now.getTime() - seenAt.getTime()) <= SILENT_MS
}

/** The nodes that were heard of lately. */
export async function livingNodes(upkeep: Pick<UpkeepStorage, 'nodes'>, now: Date): Promise<Node[]> {
  return (await upkeep.nodes()).filter((node) => isLiving(node, now))
}

/**
 * Tells storage that this node lives until `signal` aborts, then takes it off the list. Forgets nodes that were killed
 * long ago. Never rejects.
 */
export async function beat(
  deps: {
    readonly upkeep: Pick<UpkeepStorage, 'heartbeat' | 'removeNode' | 'nodes'>
    readonly clock: Clock
    readonly log: Log
    readonly version: string
    readonly roles: readonly string[]
    /** How far this machine's clock is ahead of the database's. */
    readonly skewMs: () => number
  },
  signal: AbortSignal,
): Promise<void> {
  const { upkeep, clock, log, version, roles } = deps
  const id = newId('node')
  const startedAt = clock.now()
  try {
    for (const { id: other, seenAt } of await upkeep.nodes()) {
      if (startedAt.getTime() - seenAt.getTime() > FORGOTTEN_MS) await upkeep.removeNode(other)
    }
  } catch (error) {
    log.warn('node.heartbeat_failed', { node: id, error })
  }
  while (!signal.aborted) {
    try {
      await upkeep.heartbeat({ id, version, roles, startedAt, seenAt: clock.now(), skewMs: deps.skewMs() })
    } catch (error) {
      log.warn('node.heartbeat_failed', { node: id, error })
    }
    await clock.sleep(HEARTBEAT_MS, signal)
  }
  try {
    await upkeep.removeNode(id)
  } catch (error) {
    log.warn('node.heartbeat_failed', { node: id, error })
  }
}
