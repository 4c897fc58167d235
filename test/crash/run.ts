import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../src/simulate/random.ts'
import { findDuplicates, type Kill } from './duplicates.ts'
import type { Installation } from './installation.ts'
import { answersTooLate } from './late.ts'
import type { Node } from './nodes.ts'

export type RunOptions = {
  readonly rounds: number
  readonly seed: number
  /** After this many rounds every expected event must have arrived before the next round. */
  readonly settleEvery: number
  readonly print: (line: string) => void
}

export type Figures = {
  readonly rounds: number
  readonly kills: number
  readonly killsWhileStarting: number
  readonly stops: number
  readonly databaseRestarts: number
  readonly events: number
  readonly requests: number
  readonly inFlightAtKills: number
  readonly inFlightMax: number
  /** Accepted requests that were repeated, because a kill preceded the commit. */
  readonly duplicates: number
  /** The same, because the receiver accepted after the sender's timeout. */
  readonly answersTooLate: number
  readonly lostConfirmationMsMax: number
  readonly replays: number
  readonly replaysCutByKills: number
  readonly deliveriesPruned: number
  readonly storeRequestsPerMinuteMax: Readonly<Record<'apple' | 'google', number>>
}

/** One round in five also stops the node and starts it again; one in four kills it again while it starts. */
const STOP_SHARE = 0.2
const KILL_AGAIN_SHARE = 0.25
const REPLAY_SHARE = 0.4
const STAYS_AWAY_SHARE = 0.4
const RUN_MS_MAX = 1_500
const START_MS_MAX = 900
const DRAIN_LOOK_MS = 40
/** With other nodes still sending there is no quiet moment. */
const DRAIN_MS_MAX = 500
/** Time for interrupted leases to end and breakers to close. */
const SETTLE_MS_MAX = 240_000

/**
 * Rounds of kills under load. Throws for a missing or unexpected event, one with two bodies, a repeated request that no
 * kill explains, or a failed stop.
 */
export async function run(installation: Installation, options: RunOptions): Promise<Figures> {
  const { nodes, activity, ledger, receiver } = installation
  const random = createRandom(options.seed)
  const kills: Kill[] = []
  const counts = { killsWhileStarting: 0, stops: 0, databaseRestarts: 0, replays: 0, replaysCutByKills: 0 }

  const kill = async (node: Node) => {
    const atMs = (await node.kill()).getTime()
    const drainedAtMs = await drained()
    kills.push({ atMs, drainedAtMs, unsettled: await installation.unsettled() })
  }

  for (let round = 1; round <= options.rounds; round += 1) {
    activity.start()
    receiver.setPoison(true)
    const node = random.pick(nodes)
    if (!node.running()) node.start()
    await node.ready()
    if (random.next() < REPLAY_SHARE) counts.replays += await installation.startReplay()
    if (nodes.length > 1 && round === Math.ceil(options.rounds / 2)) {
      counts.databaseRestarts += 1
      await installation.restartDatabase()
    }
    await setTimeout(random.between(20, RUN_MS_MAX))
    if (random.next() < STOP_SHARE) {
      await stop(node)
      node.start()
      await node.ready()
      await setTimeout(random.between(20, RUN_MS_MAX))
    }
    await kill(node)
    if (random.next() < KILL_AGAIN_SHARE) {
      node.start()
      await setTimeout(random.between(0, START_MS_MAX))
      await kill(node)
      counts.killsWhileStarting += 1
    }
    counts.replaysCutByKills += await installation.replaysRunning()
    // With several nodes, some stay stopped for a while.
    if (nodes.length === 1 || random.next() >= STAYS_AWAY_SHARE) node.start()
    complain()
    if (round % options.settleEvery === 0 || round === options.rounds) await settle(round)
  }

  for (const node of nodes) await stop(node)
  complain()
  const { count, unexplained, inFlight, inFlightMax, lostMsMax } = findDuplicates(ledger.receipts(), kills)
  const late =
    unexplained.length === 0 ? new Map<string, number>() : await answersTooLate(installation.logFile)
  const wrong = unexplained.filter(({ eventId }) => {
    const left = late.get(eventId) ?? 0
    late.set(eventId, left - 1)
    return left <= 0
  })
  if (wrong.length > 0) {
    throw new Error(`Repeated without a kill:\n${wrong.map(({ sentence }) => sentence).join('\n')}`)
  }
  await installation.check()
  return {
    rounds: options.rounds,
    kills: kills.length,
    ...counts,
    events: ledger.expected(),
    requests: ledger.receipts().length,
    inFlightAtKills: inFlight,
    inFlightMax,
    duplicates: count - unexplained.length,
    answersTooLate: unexplained.length,
    lostConfirmationMsMax: lostMsMax,
    deliveriesPruned: await installation.pruned(),
    storeRequestsPerMinuteMax: installation.storeRequestsPerMinuteMax(),
  }

  /** Waits until no request arrives: a busy receiver reads some requests after their sender was killed. */
  async function drained(): Promise<number> {
    const sinceMs = Date.now()
    for (let before = -1; before !== ledger.receipts().length && Date.now() - sinceMs < DRAIN_MS_MAX; ) {
      before = ledger.receipts().length
      await setTimeout(DRAIN_LOOK_MS)
    }
    return Date.now()
  }

  async function stop(node: Node): Promise<void> {
    const status = await node.stop()
    counts.stops += 1
    if (status !== 0) throw new Error(`A node stopped by SIGTERM ended with status ${status}.`)
  }

  function complain(): void {
    const violations = ledger.violations()
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'))
  }

  /** Pauses all activity until every expected event was accepted. */
  async function settle(round: number): Promise<void> {
    await activity.pause()
    installation.mendStores()
    receiver.setPoison(false)
    for (const node of nodes) if (!node.running()) node.start()
    const deadline = performance.now() + SETTLE_MS_MAX
    while (ledger.missing().length > 0) {
      complain()
      if (performance.now() > deadline) {
        const missing = ledger.missing()
        const explanations = await installation.explain(missing.slice(0, 10))
        throw new Error(
          `${missing.length} of ${ledger.expected()} events never arrived:\n${explanations.join('\n')}`,
        )
      }
      counts.replays += await installation.startReplay()
      await setTimeout(500)
    }
    const { count, unexplained, inFlight } = findDuplicates(ledger.receipts(), kills)
    options.print(
      `round ${round}: all ${ledger.expected()} events arrived; ${kills.length} kills, ${inFlight} requests in flight at them, ${count - unexplained.length} of them repeated`,
    )
  }
}
