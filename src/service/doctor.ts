import { incidentText } from '../model/incident.ts'
import { differenceOf, type Reading, readDatabaseClock } from '../node/time/reading.ts'
import { connectionIncident, staleConnections } from '../operations/diagnosis/connections.ts'
import { diskFindings } from '../operations/diagnosis/disk.ts'
import { feedFindings } from '../operations/diagnosis/feeds.ts'
import { type Finding, isIncident, ok, problem } from '../operations/diagnosis/finding.ts'
import { invariantFindings } from '../operations/diagnosis/invariants.ts'
import { clockFindings, nodeFindings } from '../operations/diagnosis/nodes.ts'
import { queueFindings } from '../operations/diagnosis/queues.ts'
import { storeFinding } from '../operations/diagnosis/stores.ts'
import { expireAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { type Log, silentLog } from '../runtime/log.ts'
import { createSealer } from '../runtime/seal.ts'
import { createSteadyClock } from '../runtime/steady-clock.ts'
import type { Storage } from '../storage/port/storage.ts'
import type { Config } from './config/config.ts'
import { openAppStores } from './from-config.ts'
import { checkKey } from './key-check.ts'
import { isOperatorError } from './operator-error.ts'
import { secretKeyOf } from './secret-key.ts'
import { VERSION } from './version.ts'

/** The checks of `radar doctor` on an open storage. Sends one request to each store, within its rate limit. */
export async function* diagnose(
  config: Config,
  storage: Storage,
  given: Clock | null = null,
  log: Log = silentLog,
): AsyncGenerator<{ readonly grade: Finding['grade']; readonly text: string }> {
  for await (const finding of findings(config, storage, given, log))
    yield isIncident(finding) ? { grade: finding.grade, text: incidentText(finding) } : finding
}

async function* findings(
  config: Config,
  storage: Storage,
  given: Clock | null,
  log: Log,
): AsyncGenerator<Finding> {
  yield await keyFinding(config, storage)
  const reading = await readDatabaseClock(systemClock, storage.time)
  const clock = given ?? clockFrom(reading)
  yield* clockFindings(storage, differenceOf(reading.at, reading.wallAt))
  yield* nodeFindings(storage, clock)
  yield* diskFindings(storage)
  yield* queueFindings(storage, clock, { deadLetters: true })
  yield* feedFindings(storage, clock)
  for (const source of await staleConnections(storage, clock))
    yield connectionIncident(source, ` of the account ${source.accountId}`)
  yield* invariantFindings(storage, clock, expireAfterMsOf(config.delivery.retryWaitsMs))
  const { outboundProxy: proxy } = config
  if (proxy !== null) yield ok(`Requests to public addresses use the proxy ${new URL(proxy).host}.`)
  await using egress = openEgress({ guard: null, userAgent: `ReviewRadar/${VERSION}`, proxy })
  if (config.stores.publicSources === 'off') {
    yield ok('Public pages of the stores are off (RADAR_PUBLIC_SOURCES=off): none is requested.')
    return
  }
  const added = config.stores.addedFormats
  if (added !== null)
    yield ok(`Store formats are added (RADAR_STORE_FORMATS_FILE): ${JSON.stringify(added)}.`)
  for (const appStore of openAppStores(config, egress, log)) {
    yield await storeFinding(config.stores.requestsPerMinute[appStore.store], storage, appStore, clock)
  }
}

async function keyFinding(config: Config, storage: Storage): Promise<Finding> {
  try {
    const sealer = createSealer(secretKeyOf(config))
    await checkKey(storage.maintenance, sealer)
    return ok(`The key ${sealer.keyId} is the key of the database.`)
  } catch (error) {
    if (!isOperatorError(error)) throw error
    return problem('key', error.message)
  }
}

/** A clock that continues from one reading of the database's clock. */
function clockFrom(reading: Reading): Clock {
  const clock = createSteadyClock(systemClock)
  clock.step(reading.at, reading.readMs, 0)
  return clock
}
