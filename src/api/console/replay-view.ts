import type { ReplayView } from '../../contract/console/deliveries.ts'
import type { Replay } from '../../storage/port/dead-letters.ts'

export function presentReplay(replay: Replay): ReplayView {
  const { id, status, total, queued, delivered, deadAgain, ratePerSecond, createdAt, finishedAt } = replay
  return {
    id,
    status,
    recoveryOf: 'recoverSince' in replay.filter ? replay.filter.hookId : null,
    total,
    queued,
    delivered,
    deadAgain,
    ratePerSecond,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}
