import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { startChild } from './child.ts'
import { ENGINES, type EngineName } from './engines.ts'
import { median } from './figures.ts'
import type { Bench } from './measurement.ts'
import { openTargets } from './sending.ts'

/**
 * Deliveries of several working copies in alternating rounds, so that other load of the machine affects all of them:
 *
 *   node bench/compare.ts [--engine sqlite|postgres|both] [--rounds N] [--per-app N] FOLDER [FOLDER]...
 */

const CONCURRENCY = 256

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'both' },
    rounds: { type: 'string', default: '6' },
    'per-app': { type: 'string', default: '250' },
    profile: { type: 'string' },
  },
})
const engines = ENGINES.filter((name) => values.engine === 'both' || values.engine === name)
const perApp = Number(values['per-app'])

await using opened = new AsyncDisposableStack()
const receiver = opened.use(await startChild('receiver'))
const urls = await openTargets(receiver)
const bare = opened.use(await startChild('bare-sender'))
const postgres = engines.includes('postgres') ? opened.use(await startPostgres()) : null

/** One working copy with its own database and service. */
type Contestant = {
  readonly name: string
  readonly round: () => Promise<Round>
}
type Round = {
  readonly perSecond: number
  readonly cpuUs: number
  readonly threads: ReadonlyMap<string, number>
}

const contestants: Contestant[] = []
for (const engine of engines)
  for (const folder of positionals) contestants.push(await contestant(engine, resolve(folder)))

for (const each of contestants) await each.round()
const body = await receiver.call<string>('lastBody')
await bare.call('run', urls, CONCURRENCY, body, 1)

const bares: { perSecond: number; cpuUs: number }[] = []
const rounds = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]))
for (let number = 0; number < Number(values.rounds); number += 1) {
  bares.push(await bare.call('run', urls, CONCURRENCY, body, 2))
  const order = number % 2 === 0 ? contestants : [...contestants].reverse()
  for (const { name, round } of order) rounds.get(name)?.push(await round())
}

const bareRates = bares.map(({ perSecond }) => perSecond)
print('bare', bareRates, `${median(bares.map(({ cpuUs }) => cpuUs)).toFixed(0)} us`)
for (const [name, ofThis] of rounds) {
  const ratios = ofThis.map(({ perSecond }, index) => perSecond / (bareRates[index] ?? Number.NaN))
  const cpu = ofThis.map(({ cpuUs }) => cpuUs)
  const threads = [...(ofThis[0]?.threads.keys() ?? [])]
    .map((thread) => `${thread} ${median(ofThis.map((one) => one.threads.get(thread) ?? 0)).toFixed(0)}`)
    .join(', ')
  print(
    name,
    ofThis.map(({ perSecond }) => perSecond),
    `${median(ratios).toFixed(3)} of bare, ${median(cpu).toFixed(0)} us (${threads})`,
  )
}

function print(name: string, rates: readonly number[], rest: string): void {
  process.stdout.write(`${name.padEnd(40)} ${median(rates).toFixed(0).padStart(7)}/s  ${rest}\n`)
}

async function contestant(engine: EngineName, folder: string): Promise<Contestant> {
  const load = (file: string) => import(pathToFileURL(join(folder, 'bench', file)).href)
  const { openEngine } = (await load('engines.ts')) as typeof import('./engines.ts')
  const { startService } = (await load('services.ts')) as typeof import('./services.ts')
  const { prepareSending, sendRound } = (await load('sending.ts')) as typeof import('./sending.ts')
  const made = async () => {
    const path = await mkdtemp(join(tmpdir(), 'radar-bench-'))
    opened.defer(() => rm(path, { recursive: true, force: true }))
    return path
  }
  const places = { folder: await made(), newDatabase: async () => (await postgres?.newDatabase()) ?? '' }
  const database = await openEngine(engine, places)
  opened.use(database.storage)
  const offer = await prepareSending(database, urls)
  const profileFolder =
    values.profile === undefined ? null : join(values.profile, folder.replaceAll('/', '-'))
  const bench: Pick<Bench, 'options' | 'folder'> = {
    options: { short: false, engines, profileFolder },
    folder: made,
  }
  const service = opened.use(await startService(bench, database, { RADAR_ROLES: 'fanout,send' }))
  return {
    name: `${engine} ${folder}`,
    round: async () => {
      const before = await service.usage()
      const threadsBefore = threadTimes(service.pid)
      const { events, tookMs } = await sendRound(receiver, offer, perApp)
      const { cpuMs } = await service.usage()
      const threads = new Map<string, number>()
      for (const [thread, ms] of threadTimes(service.pid))
        threads.set(thread, ((ms - (threadsBefore.get(thread) ?? 0)) / events) * 1000)
      return { perSecond: (events / tookMs) * 1000, cpuUs: ((cpuMs - before.cpuMs) / events) * 1000, threads }
    },
  }
}

/** Milliseconds of processor time by the name of a thread (Linux). */
function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>()
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const text = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
    const name = task === String(pid) ? 'main' : text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    times.set(name, (times.get(name) ?? 0) + (Number(fields[11]) + Number(fields[12])) * 10)
  }
  return times
}
