import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../src/simulate/random.ts'
import { type Duplicates, findDuplicates, type Kill } from './duplicates.ts'
import type { Installation } from './installation.ts'
import { type LateRequests, readLateRequests } from './late-requests.ts'
import type { Node } from './nodes.ts'

export type RunOptions = {
  readonly rounds: number
  readonly seed: number
  /** After this many rounds, waits until every expected event has arrived. */
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
  /** Accepted requests repeated because a kill preceded the commit. */
  readonly duplicates: number
  /** Accepted requests repeated because the receiver responded after the sender's timeout. */
  readonly lateResponses: number
  readonly lostConfirmationMsMax: number
  readonly replays: number
  readonly replaysInterrupted: number
  readonly deliveriesPruned: number
  readonly sourceChanges: number
  readonly answersPublished: number
  readonly storeRequestsPerMinuteMax: Readonly<Record<'apple' | 'google', number>>
}

/** One round in five also restarts the node; one in four kills it again during its start. */
const STOP_SHARE = 0.2
const KILL_AGAIN_SHARE = 0.25
const REPLAY_SHARE = 0.4
const STAY_STOPPED_SHARE = 0.4
/** A round runs until up to this many requests were sent and one is in flight, so that a kill interrupts deliveries on any machine. */
const REQUESTS_MAX = 60
/** Enough for the first requests after a start on a busy machine; a node without work is killed after it. */
const WORK_MS_MAX = 20_000
const WORK_POLL_MS = 5
const START_MS_MAX = 900
const DRAIN_POLL_MS = 40
/** Needed with several nodes: requests of the other nodes never stop. */
const DRAIN_MS_MAX = 500
/** Time without an arrival. Enough for interrupted leases to end and breakers to close. */
const SETTLE_MS_MAX = 240_000

/**
 * Runs rounds of kills under load. Throws for a missing or unexpected event, an event with two bodies, a duplicate
 * without a kill as cause, or a failed stop.
 */
export async function run(installation: Installation, options: RunOptions): Promise<Figures> {
  const { nodes, activity, ledger, receiver } = installation
  const random = createRandom(options.seed)
  const kills: Kill[] = []
  const counts = { killsWhileStarting: 0, stops: 0, databaseRestarts: 0, replays: 0, replaysInterrupted: 0 }

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
    await working()
    if (random.next() < STOP_SHARE) {
      await stop(node)
      node.start()
      await node.ready()
      await working()
    }
    await kill(node)
    if (random.next() < KILL_AGAIN_SHARE) {
      node.start()
      await setTimeout(random.between(0, START_MS_MAX))
      await kill(node)
      counts.killsWhileStarting += 1
    }
    counts.replaysInterrupted += await installation.replaysRunning()
    // With several nodes, some stay stopped until a later round.
    if (nodes.length === 1 || random.next() >= STAY_STOPPED_SHARE) node.start()
    assertNoViolations()
    if (round % options.settleEvery === 0 || round === options.rounds) await settle(round)
  }

  for (const node of nodes) await stop(node)
  assertNoViolations()
  const { count, unexplained, inFlight, inFlightMax, lostMsMax } = findDuplicates(ledger.receipts(), kills)
  if (unexplained.length > 0) assertTimedOut(unexplained, await readLateRequests(installation.logFile))
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
    lateResponses: unexplained.length,
    lostConfirmationMsMax: lostMsMax,
    deliveriesPruned: await installation.pruned(),
    ...installation.ownerFigures(),
    storeRequestsPerMinuteMax: installation.storeRequestsPerMinuteMax(),
  }

  async function working(): Promise<void> {
    const enough = ledger.receipts().length + random.between(1, REQUESTS_MAX)
    for (const sinceMs = Date.now(); Date.now() - sinceMs < WORK_MS_MAX; await setTimeout(WORK_POLL_MS)) {
      if (ledger.receipts().length < enough) continue
      if (ledger.receipts().some(({ endedAtMs }) => endedAtMs === null)) return
    }
  }

  /** Waits until no more requests arrive: the receiver may read some after the kill of their sender. */
  async function drained(): Promise<number> {
    const sinceMs = Date.now()
    for (let before = -1; before !== ledger.receipts().length && Date.now() - sinceMs < DRAIN_MS_MAX; ) {
      before = ledger.receipts().length
      await setTimeout(DRAIN_POLL_MS)
    }
    return Date.now()
  }

  async function stop(node: Node): Promise<void> {
    const status = await node.stop()
    counts.stops += 1
    if (status !== 0) throw new Error(`A node exited with status ${status} after SIGTERM.`)
  }

  function assertNoViolations(): void {
    const violations = ledger.violations()
    if (violations.length > 0) throw new Error(violations.slice(0, 10).join('\n'))
  }

  /** Pauses all activity until every expected event is accepted. */
  async function settle(round: number): Promise<void> {
    await activity.pause()
    installation.clearStoreFaults()
    receiver.setPoison(false)
    for (const node of nodes) if (!node.running()) node.start()
    for (const node of nodes) await node.ready()
    let deadline = performance.now() + SETTLE_MS_MAX
    let leftMin = Number.POSITIVE_INFINITY
    while (true) {
      assertNoViolations()
      const unanswered = await installation.unfinishedAnswers()
      const left = ledger.missing().length + unanswered.length
      if (left === 0) break
      // A busy machine may need longer for all of them.
      if (left < leftMin) deadline = performance.now() + SETTLE_MS_MAX
      leftMin = Math.min(leftMin, left)
      if (performance.now() > deadline) {
        const missing = ledger.missing()
        const explanations = [...unanswered, ...(await installation.explain(missing.slice(0, 10)))]
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

/**
 * Each repeated request must have timed out. The sentences tell which of the others a lease explains that ended too early for a busy
 * machine.
 */
function assertTimedOut(repeated: Duplicates['unexplained'], { timeouts, settledLate }: LateRequests): void {
  const wrong = repeated.filter(({ eventId }) => {
    const left = timeouts.get(eventId) ?? 0
    timeouts.set(eventId, left - 1)
    return left <= 0
  })
  if (wrong.length === 0) return
  const sentences = wrong.map(({ eventId, sentence }) =>
    settledLate.has(eventId) ? `${sentence}: its lease had ended` : sentence,
  )
  const slow = wrong.filter(({ eventId }) => settledLate.has(eventId)).length
  const hint =
    slow === 0 ? '' : `\nThe machine was too slow for the leases of ${slow}. A lower --speed has longer ones.`
  throw new Error(`Repeated without a kill:\n${sentences.join('\n')}${hint}`)
}
