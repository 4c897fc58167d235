import { FROZEN_BECAUSE } from '../contract/console/system.ts'
import type { AppStore } from '../pipeline/appstores/appstore.ts'
import { createStorePace } from '../pipeline/collect/pace.ts'
import { giveUpAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { createSealer } from '../runtime/seal.ts'
import { createSteadyClock } from '../runtime/steady-clock.ts'
import type { InvariantCursor } from '../storage/port/invariants.ts'
import type { Storage } from '../storage/port.ts'
import type { Config } from './config/config.ts'
import { openAppStores } from './from-config.ts'
import { isLiving } from './heartbeat.ts'
import { checkKey } from './key-check.ts'
import { isRefusal } from './refusal.ts'
import { secretKeyOf } from './secret-key.ts'
import { differenceOf, type Reading, readDatabaseClock } from './time/reading.ts'
import { jumpSentence, skewSentence } from './time/sentences.ts'
import { VERSION } from './version.ts'

/** One thing looked at. `bad` needs somebody, `note` may explain something. */
export type Finding = { readonly grade: 'good' | 'note' | 'bad'; readonly text: string }

const FEEDS_SHOWN_MAX = 20
/** A due hook that waited longer has no sender: senders look again within seconds. */
const DUE_LATE_MS = 60_000
const PROBE_MS_MAX = 30_000
/** Reviews given up longer ago are old news. */
const FAILURES_SHOWN_MS = 7 * 24 * 60 * 60_000
/** Asked of the real stores: a word that every store has apps for. */
const PROBE_TERM = 'notes'

/** Looks at everything that `radar doctor` tells about an opened storage. Asks each store one question, at its pace. */
export async function* diagnose(
  config: Config,
  storage: Storage,
  given: Clock | null = null,
  log: Log = silentLog,
): AsyncGenerator<Finding> {
  yield await keyFinding(config, storage)
  const reading = await readDatabaseClock(systemClock, storage.time)
  const clock = given ?? clockFrom(reading)
  yield* clockFindings(storage, differenceOf(reading.at, reading.wallAt))
  yield* nodeFindings(storage, clock)
  yield* queueFindings(storage, clock)
  yield* feedFindings(storage, clock)
  yield* invariantFindings(config, storage, clock)
  await using egress = openEgress({ guard: null, userAgent: `ReviewRadar/${VERSION}` })
  for (const appStore of openAppStores(config, egress, log)) {
    yield await storeFinding(config, storage, appStore, clock)
  }
}

async function keyFinding(config: Config, storage: Storage): Promise<Finding> {
  try {
    const sealer = createSealer(secretKeyOf(config))
    await checkKey(storage.upkeep, sealer)
    return good(`The key ${sealer.keyId} fits the database.`)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return bad(error.message)
  }
}

/** The database's clock, as of one reading. */
function clockFrom(reading: Reading): Clock {
  const clock = createSteadyClock(systemClock)
  clock.step(reading.at, reading.readMs)
  return clock
}

async function* clockFindings(storage: Storage, skewMs: number): AsyncGenerator<Finding> {
  if (storage.engine === 'postgres') {
    const skew = skewSentence(skewMs, 'this machine')
    yield skew === null ? good('The clock of this machine agrees with that of the database.') : bad(skew)
  }
  const state = await storage.time.state()
  const jumped = state === null ? null : jumpSentence(state)
  if (jumped !== null) yield bad(jumped)
}

async function* nodeFindings(storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const now = clock.now()
  const nodes = await storage.upkeep.nodes()
  if (!nodes.some((node) => isLiving(node, now))) yield note('No node runs now: "radar serve" starts one.')
  for (const node of nodes) {
    const what = `The node ${node.id} (version ${node.version}, ${node.roles.join(', ')})`
    const silentMs = now.getTime() - node.seenAt.getTime()
    if (!isLiving(node, now)) {
      yield note(
        `${what} has been silent for ${seconds(silentMs)}: it was killed, or cannot reach the database.`,
      )
      continue
    }
    yield good(`${what} runs since ${node.startedAt.toISOString()}.`)
    const skew = skewSentence(node.skewMs ?? 0, `the node ${node.id}`)
    if (skew !== null) yield bad(skew)
  }
}

async function* queueFindings(storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const now = clock.now()
  const depths = await storage.upkeep.depths(now)
  // Not the age of the oldest: a backlog that is being worked off is late although somebody sends.
  const { sendAt } = await storage.upkeep.dueWork(now)
  const lateMs = sendAt === null ? 0 : now.getTime() - sendAt.getTime()
  yield lateMs > DUE_LATE_MS
    ? bad(
        `${depths.pending} deliveries wait, and nobody has taken any for ${seconds(lateMs)}: is a node with the role send running?`,
      )
    : good(`${depths.pending} deliveries wait, ${depths.held} are held by paused hooks.`)
  if (depths.waitingForEnrichment + depths.waitingForFanOut > 0) {
    yield note(
      `${depths.waitingForEnrichment} reviews wait for enrichment, ${depths.waitingForFanOut} occurrences for fan-out.`,
    )
  }
  const failures = await storage.occurrences.enrichmentFailures(new Date(now.getTime() - FAILURES_SHOWN_MS))
  if (failures.length > 0) {
    const reasons = failures.map(({ failure, count }) => `${failure} ${count}`).join(', ')
    yield note(
      `Reviews of the last 7 days that were given up without enrichment: ${reasons}. "radar enrich --since 7d" tries them again.`,
    )
  }
  if (depths.breakersOpen > 0) {
    yield note(`${depths.breakersOpen} hooks fail so often that they are tried only now and then.`)
  }
  yield depths.dead === 0
    ? good('There are no dead letters.')
    : bad(
        `There are ${depths.dead} dead letters: "radar dead list" shows why, "radar dead replay" sends them again.`,
      )
}

async function* feedFindings(storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const counts = await storage.feeds.counts()
  const sum = (key: 'active' | 'failing' | 'due') => counts.reduce((total, count) => total + count[key], 0)
  yield good(`${sum('active')} feeds are polled, ${sum('due')} are due now.`)
  const overdue = await storage.feeds.overdue(clock.now(), FEEDS_SHOWN_MAX)
  for (const feed of overdue.feeds) {
    yield bad(
      `${feed.store} ${feed.appId}, ${feed.kind} of ${feed.market}: overdue, last polled ${feed.lastPolledAt?.toISOString() ?? 'never'}.`,
    )
  }
  if (overdue.count > overdue.feeds.length)
    yield bad(`And ${overdue.count - overdue.feeds.length} more feeds are overdue.`)
  yield* sourceFindings(storage)
  yield* quarantineFindings(storage)
  if (sum('failing') === 0) return
  const failing = await storage.feeds.list({ failingOnly: true, limit: FEEDS_SHOWN_MAX })
  for (const feed of failing) {
    yield bad(
      `${feed.store} ${feed.appId}, ${feed.kind} of ${feed.market}: stale since ${feed.failingSince?.toISOString() ?? 'its start'}, last answer ${feed.lastOutcome ?? 'none'}${feed.lastSource === null ? '' : ` from ${feed.lastSource}`}${feed.lastDetail === null ? '' : ` (${feed.lastDetail})`}.`,
    )
  }
  if (sum('failing') > failing.length)
    yield bad(`And ${sum('failing') - failing.length} more feeds are stale.`)
}

/** Pages of hooks that one diagnosis reads: with 200 hooks a page, seconds at most. */
const INVARIANT_PAGES_MAX = 200

async function* invariantFindings(config: Config, storage: Storage, clock: Clock): AsyncGenerator<Finding> {
  const giveUpAfterMs = giveUpAfterMsOf(config.delivery.retryWaitsMs)
  const found = new Map<string, { count: number; readonly example: string }>()
  let cursor: InvariantCursor | null = null
  for (let page = 0; page < INVARIANT_PAGES_MAX; page += 1) {
    const checked = await storage.invariants.check({ now: clock.now(), giveUpAfterMs, cursor })
    for (const { invariant, count, example } of checked.violations) {
      // Leases and occurrences are looked at with every page.
      const before = found.get(invariant)
      found.set(invariant, {
        count: Math.max(before?.count ?? 0, count),
        example: before?.example ?? example,
      })
    }
    cursor = checked.cursor
    if (checked.isLast) break
  }
  if (found.size === 0) yield good('The stored data holds all invariants.')
  for (const [invariant, { count, example }] of found) {
    yield bad(`The invariant ${invariant} is violated (${count} found), for example: ${example}.`)
  }
}

async function* sourceFindings(storage: Storage): AsyncGenerator<Finding> {
  const unusual = await storage.feeds.unusual({ limit: FEEDS_SHOWN_MAX + 1 })
  for (const { store, appId, kind, market, sources } of unusual.slice(0, FEEDS_SHOWN_MAX)) {
    const feed = `${store} ${appId}, ${kind} of ${market}`
    const { frozen, fallback } = sources
    if (frozen !== null) {
      yield note(
        `${feed}: ${frozen.source} may be frozen since ${frozen.since.toISOString()}. ${FROZEN_BECAUSE[frozen.reason]} It is polled as before.`,
      )
    }
    if (fallback !== null) {
      yield note(
        `${feed}: served by ${fallback.source} since ${fallback.since.toISOString()} (${fallback.why}). The sources before it are asked every six hours.`,
      )
    }
  }
  if (unusual.length > FEEDS_SHOWN_MAX) yield note('And more feeds: the System page lists them.')
}

async function* quarantineFindings(storage: Storage): AsyncGenerator<Finding> {
  const rows = await storage.feeds.quarantined({ limit: FEEDS_SHOWN_MAX + 1 })
  for (const { store, appId, market, rowKey, why, lastSeenAt } of rows.slice(0, FEEDS_SHOWN_MAX)) {
    yield note(
      `${store} ${appId}, reviews of ${market}: row ${rowKey.slice(0, 40)} is in quarantine (${why}), last seen ${lastSeenAt.toISOString()}. "radar quarantine" shows its raw form.`,
    )
  }
  if (rows.length > FEEDS_SHOWN_MAX) yield note('And more rows: "radar quarantine" lists them.')
}

async function storeFinding(
  config: Config,
  storage: Storage,
  appStore: AppStore,
  clock: Clock,
): Promise<Finding> {
  const { store } = appStore
  const pace = createStorePace(
    { storage: storage.pace, clock, random: Math.random },
    store,
    config.stores.requestsPerMinute[store],
  )
  const blockedUntil = await pace.blockedUntil()
  if (blockedUntil !== null) {
    return bad(
      `${store} told us to go away; nobody asks it until ${blockedUntil.toISOString()}. It heals by itself.`,
    )
  }
  const answer = await appStore.search(
    { term: PROBE_TERM, storefront: 'us', limit: 1 },
    pace.pace,
    AbortSignal.timeout(PROBE_MS_MAX),
  )
  return answer.kind === 'ok'
    ? good(`${store} answers.`)
    : bad(`${store} does not answer as it should: ${answer.kind} (${answer.detail}).`)
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

function good(text: string): Finding {
  return { grade: 'good', text }
}
function note(text: string): Finding {
  return { grade: 'note', text }
}
function bad(text: string): Finding {
  return { grade: 'bad', text }
}
