import { newId } from '../model/ids.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { MaintenanceStorage, Node } from '../storage/port/maintenance.ts'

/** The interval of the heartbeats of a node. */
export const HEARTBEAT_MS = 10_000
/** After three missed heartbeats a node was killed, or cannot reach the database. */
export const SILENT_MS = 3 * HEARTBEAT_MS

/** How long a killed node is shown as silent: until the next morning. */
const FORGOTTEN_MS = 24 * 3_600_000

/** Whether a node reported within the last 30 s. */
export function isLiving({ seenAt }: Node, now: Date): boolean {
  return Math.abs(now.getTime() - seenAt.getTime()) <= SILENT_MS
}

/** The nodes that reported recently. */
export async function liveNodes(maintenance: Pick<MaintenanceStorage, 'nodes'>, now: Date): Promise<Node[]> {
  return (await maintenance.nodes()).filter((node) => isLiving(node, now))
}

/**
 * Reports this node to storage until `signal` aborts, then removes it. Also removes nodes that were killed long ago.
 * Never rejects.
 */
export async function beat(
  deps: {
    readonly maintenance: Pick<MaintenanceStorage, 'heartbeat' | 'removeNode' | 'nodes'>
    readonly clock: Clock
    readonly log: Log
    readonly version: string
    readonly roles: readonly string[]
    /** Gets the error of each failed heartbeat, which is a write. */
    readonly failed: (error: unknown) => void
    /** The lead of this machine's clock over the database's, in milliseconds. */
    readonly skewMs: () => number
  },
  signal: AbortSignal,
): Promise<void> {
  const { maintenance, clock, log, version, roles } = deps
  const id = newId('node')
  const startedAt = clock.now()
  try {
    for (const { id: other, seenAt } of await maintenance.nodes()) {
      if (startedAt.getTime() - seenAt.getTime() > FORGOTTEN_MS) await maintenance.removeNode(other)
    }
  } catch (error) {
    log.warn('node.heartbeat_failed', { node: id, error })
  }
  while (!signal.aborted) {
    try {
      await maintenance.heartbeat({
        id,
        version,
        roles,
        startedAt,
        seenAt: clock.now(),
        skewMs: deps.skewMs(),
      })
    } catch (error) {
      deps.failed(error)
      log.warn('node.heartbeat_failed', { node: id, error })
    }
    await clock.sleep(HEARTBEAT_MS, signal)
  }
  try {
    await maintenance.removeNode(id)
  } catch (error) {
    log.warn('node.heartbeat_failed', { node: id, error })
  }
}
