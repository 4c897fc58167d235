import type { Store } from './vocabulary.ts'

/**
 * The health of a store's sources of reviews, over all feeds and nodes. Each has one record. What polls and the reference check find
 * changes it by these rules, and the first source of every feed follows from it. Feeds keep only what is theirs: pages of single apps
 * that are missing. Pure.
 *
 * A fault is confirmed by several apps in a row, or by the reference check. Then the source is `off` if it shows nothing (`empty`,
 * `changed`, `blocked`), else it is `degraded`: `unsorted` and `frozen` ones are asked last, `delayed` ones as before. A source that
 * often shows empty pages is degraded and asked last too, since every such page costs another request. `unproven`: it never showed a
 * review.
 */
export const SOURCE_STATES = ['healthy', 'degraded', 'off', 'unproven'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/**
 * `empty`: no reviews of apps whose reviews another source has. `unsorted`: not newest first. `frozen`: older than another source.
 * `changed`: an unknown format. `blocked`: it rejects requests that other sources answer. `delayed`: all sources are late.
 */
export const SOURCE_FAULTS = ['empty', 'unsorted', 'frozen', 'changed', 'blocked', 'delayed'] as const
export type SourceFault = (typeof SOURCE_FAULTS)[number]

export type SourceHealth = {
  readonly state: SourceState
  /** Null while it is healthy or unproven. */
  readonly fault: SourceFault | null
  /** Of this state and fault. */
  readonly since: Date
  /** The fault of the last apps in a row. */
  readonly suspected: SourceFault | null
  /** These apps, at most `SUSPECT_APPS_MIN`. */
  readonly suspectApps: readonly string[]
  /** When one poll may ask it first again; null while it is asked as usual. */
  readonly probeAt: Date | null
  /** Probes since the fault was confirmed. */
  readonly probes: number
  /** Its last answers, of which older ones count less, and how many of them had a fault. */
  readonly answers: number
  readonly emptyAnswers: number
  readonly unsortedAnswers: number
  readonly blockedAnswers: number
  readonly countedAt: Date
  /** The newest review that it showed of any app. */
  readonly newestAt: Date | null
  /** The share of its reviews that other sources showed too, in the last reference check. */
  readonly overlap: number | null
  /** When a reference check last began. */
  readonly checkedAt: Date | null
  /** Requests of reference checks on the UTC day of `checkedAt`. */
  readonly checks: number
}

export type NamedSourceHealth = SourceHealth & { readonly store: Store; readonly source: string }

const HOUR_MS = 3_600_000
/** Different apps: a page of one may be missing for hours (C 2026-11), that of five hardly at once. */
export const SUSPECT_APPS_MIN = 5
/** The time until the first probe, doubled with each one up to the longest. */
export const PROBE_MS = HOUR_MS / 2
export const PROBE_MS_MAX = 6 * HOUR_MS
/** For an app alone, whose source is asked eight times a day: by the probes of its fallback and by the reference check. */
const COUNTS_HALVE_MS = 24 * HOUR_MS
const EMPTY_SHARE_DEGRADED = 0.2
/**
 * Much lower than the share that degraded it, so that a source between both does not change its state all the time: 27 pages in a row,
 * which one with 30 % empty pages hardly shows.
 */
const EMPTY_SHARE_HEALTHY = 0.05
/** So that 30 % empty pages show after about 45 answers, however many there were before: within two hours for 100 feeds. */
const ANSWERS_MAX = 40
/** While only probes ask it: they are few, and must tell within a day that a source serves again. */
const PROBED_ANSWERS_MAX = 20
/** Fewer prove nothing, and those of five apps in a row put the source off. */
const EMPTY_ANSWERS_MIN = SUSPECT_APPS_MIN + 1
/**
 * Dates must differ by more than this to count as older or newer. Apple's feed writes -07:00 in winter too (recorded 2021-02), so its dates
 * may be an hour off.
 */
export const NEWEST_TOLERANCE_MS = 2 * HOUR_MS

export function unprovenSource(now: Date): SourceHealth {
  return {
    ...{ state: 'unproven', fault: null, since: now, suspected: null, suspectApps: [] },
    ...{ probeAt: null, probes: 0 },
    ...{ answers: 0, emptyAnswers: 0, unsortedAnswers: 0, blockedAnswers: 0, countedAt: now },
    ...{ newestAt: null, overlap: null, checkedAt: null, checks: 0 },
  }
}

/** An answer of a source for one app. `newestAt`: of the page. `sorted`: so many reviews that their order proves something. */
export type SourceAnswer =
  | { readonly kind: 'served'; readonly newestAt: Date | null; readonly sorted: boolean }
  | { readonly kind: Exclude<SourceFault, 'delayed'> }

export function afterAnswer(
  before: SourceHealth,
  answer: SourceAnswer,
  appId: string,
  now: Date,
): SourceHealth {
  const counted = afterCount(before, answer.kind, now)
  if (answer.kind === 'served') {
    const fault = confirmedFault(before)
    if (fault !== null && !endsFault(before, answer)) return settled(before, counted, fault, now)
    const newestAt = newerOf(before.newestAt, answer.newestAt, now)
    const after = settled(before, { ...counted, newestAt, ...NOT_SUSPECTED }, null, now)
    // It may serve again, which more answers must tell.
    return after.fault === 'empty' ? { ...after, ...firstProbe(now) } : after
  }
  const { kind } = answer
  const earlier = before.suspected === kind ? before.suspectApps : []
  const suspectApps = [...earlier.filter((one) => one !== appId), appId].slice(-SUSPECT_APPS_MIN)
  // A frozen or unsorted source that shows empty pages at random is still what it was, and was reported.
  const isReported = kind === 'empty' && (before.fault === 'frozen' || before.fault === 'unsorted')
  const isConfirmed = suspectApps.length >= SUSPECT_APPS_MIN && !isReported
  const fault = isConfirmed ? kind : confirmedFault(before)
  return settled(before, { ...counted, suspected: kind, suspectApps }, fault, now)
}

/** An app was not asked for, because an earlier source had its reviews: it would otherwise see only apps whose page is missing. */
export function afterUnasked(health: SourceHealth): SourceHealth {
  return { ...health, ...NOT_SUSPECTED }
}

/** The next probe is due later, unless this one succeeds. */
export function afterProbe(health: SourceHealth, now: Date): SourceHealth {
  const waitMs = Math.min(PROBE_MS_MAX, PROBE_MS * 2 ** Math.min(health.probes + 1, 10))
  return { ...health, probes: health.probes + 1, probeAt: new Date(now.getTime() + waitMs) }
}

/** Requests of reference checks to one source on one UTC day, over all nodes and restarts. */
const CHECKS_PER_DAY_MAX = 8
const DAY_MS = 24 * HOUR_MS

/** A reference check began, and asks this source with so many `requests` now. */
export function afterCheckBegan(health: SourceHealth, requests: 0 | 1, now: Date): SourceHealth {
  return { ...health, checkedAt: now, checks: checksOn(health, now) + requests }
}

export function mayCheck(health: SourceHealth, now: Date): boolean {
  return checksOn(health, now) < CHECKS_PER_DAY_MAX
}

function checksOn({ checkedAt, checks }: SourceHealth, now: Date): number {
  const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS)
  return checkedAt !== null && dayOf(checkedAt) === dayOf(now) ? checks : 0
}

/** What the reference check found. `fault` null: none; undefined: no answer that says anything. */
export type SourceFinding = {
  readonly fault: SourceFault | null | undefined
  readonly newestAt: Date | null
  readonly overlap: number | null
}

export function afterCheck(
  before: SourceHealth,
  { fault, newestAt, overlap }: SourceFinding,
  appId: string,
  now: Date,
): SourceHealth {
  const checked = { ...before, overlap: overlap ?? before.overlap }
  if (fault === undefined) return checked
  // One app may have no page for hours.
  if (fault === 'empty') return afterAnswer(checked, { kind: fault }, appId, now)
  const counted = afterCount(checked, fault === null || fault === 'delayed' ? 'served' : fault, now)
  // Also of a frozen source: otherwise an app that it never showed before would end the fault.
  const newest = newerOf(before.newestAt, newestAt, now)
  return settled(before, { ...counted, newestAt: newest, ...NOT_SUSPECTED }, fault, now)
}

/** How polls ask the sources of a store: `first` before the others in their order, and not those `without`. */
export type SourceOrder = { readonly first: string; readonly without: ReadonlySet<string> }

/** `sources`: in the usual order, never empty. `probed` is asked as usual in spite of its fault. */
export function sourceOrder(
  sources: readonly string[],
  healthOf: (source: string) => SourceHealth,
  probed: string | null = null,
): SourceOrder {
  const without = new Set(sources.filter((source) => source !== probed && healthOf(source).state === 'off'))
  const left = sources.filter((source) => !without.has(source))
  const first = left.find((source) => source === probed || healthOf(source).probeAt === null)
  return { first: first ?? left[0] ?? (sources[0] as string), without }
}

/** The share of its last answers, at most 40 or those of about a day. */
export function shareOf(
  health: SourceHealth,
  kind: 'emptyAnswers' | 'unsortedAnswers' | 'blockedAnswers',
): number {
  return health.answers === 0 ? 0 : Math.min(1, health[kind] / health.answers)
}

/** What the operator reads about a fault, after "The source …: ". */
export const FAULT_TEXTS: Readonly<Record<SourceFault, string>> = {
  empty: 'it shows no reviews of apps whose reviews other sources show',
  unsorted: 'its reviews are not newest first',
  frozen: 'its newest review is older than that of another source',
  changed: 'its answers have an unknown format',
  blocked: 'it rejects requests',
  delayed: 'the newest review of all sources is older than usual',
}

/** The sentence for the operator, the same wherever it is shown; null without a fault. */
export function sourceSentence({ store, source, state, fault, since }: NamedSourceHealth): string | null {
  if (fault === null) return null
  const consequence = isAskedAsUsual(fault) ? 'Polls continue.' : 'Polls use other sources first.'
  const often = fault === 'empty' && state === 'degraded' ? 'often ' : ''
  const text = FAULT_TEXTS[fault].replace('it shows', `it ${often}shows`)
  return `The source ${source} of ${store} is ${state} since ${since.toISOString()}: ${text}. ${consequence}`
}

/** A source that was not asked for so long is no longer reported: none of its feeds is polled. Faulty ones are probed within six hours. */
const REPORTED_MS = 48 * HOUR_MS

/** The sentences of all sources with a fault. */
export function sourceProblems(records: readonly NamedSourceHealth[], now: Date): string[] {
  return records
    .filter(({ countedAt }) => now.getTime() - countedAt.getTime() < REPORTED_MS)
    .flatMap((record) => sourceSentence(record) ?? [])
}

const NOT_SUSPECTED = { suspected: null, suspectApps: [] } as const
const OFF_FAULTS: ReadonlySet<SourceFault> = new Set(['empty', 'changed', 'blocked'])

/** The fault that several apps or the reference check confirmed. A source that is degraded by its empty pages is only often empty. */
function confirmedFault({ state, fault }: SourceHealth): SourceFault | null {
  return state === 'degraded' && fault === 'empty' ? null : fault
}

/** A frozen source serves pages too: a newer review ends that fault, and only the reference check a delay. */
function endsFault(
  { fault, newestAt }: SourceHealth,
  answer: Extract<SourceAnswer, { kind: 'served' }>,
): boolean {
  if (fault === 'delayed') return false
  if (fault === 'unsorted') return answer.sorted
  if (fault !== 'frozen') return true
  if (answer.newestAt === null) return false
  return newestAt === null || answer.newestAt.getTime() - newestAt.getTime() > NEWEST_TOLERANCE_MS
}

function afterCount(health: SourceHealth, kind: SourceAnswer['kind'], now: Date): SourceHealth {
  const ageMs = Math.max(0, now.getTime() - health.countedAt.getTime())
  const answersMax = health.probeAt === null ? ANSWERS_MAX : PROBED_ANSWERS_MAX
  const kept = Math.min(2 ** (-ageMs / COUNTS_HALVE_MS), (answersMax - 1) / health.answers)
  return {
    ...health,
    answers: health.answers * kept + 1,
    emptyAnswers: health.emptyAnswers * kept + (kind === 'empty' ? 1 : 0),
    unsortedAnswers: health.unsortedAnswers * kept + (kind === 'unsorted' ? 1 : 0),
    blockedAnswers: health.blockedAnswers * kept + (kind === 'blocked' ? 1 : 0),
    countedAt: now,
  }
}

function settled(before: SourceHealth, after: SourceHealth, confirmed: SourceFault | null, now: Date) {
  const fault = confirmed ?? (isOftenEmpty(before, after) ? 'empty' : null)
  const state = stateOf(after, confirmed, fault)
  const isSame = state === before.state && fault === before.fault
  const probe = isAskedAsUsual(fault) ? { probeAt: null, probes: 0 } : isSame ? {} : firstProbe(now)
  return { ...after, ...probe, state, fault, since: isSame ? before.since : now }
}

function isOftenEmpty(before: SourceHealth, after: SourceHealth): boolean {
  const share = shareOf(after, 'emptyAnswers')
  if (before.fault === 'empty') return share >= EMPTY_SHARE_HEALTHY
  return after.emptyAnswers >= EMPTY_ANSWERS_MIN && share >= EMPTY_SHARE_DEGRADED
}

function isAskedAsUsual(fault: SourceFault | null): boolean {
  return fault === null || fault === 'delayed'
}

function firstProbe(now: Date): Pick<SourceHealth, 'probeAt' | 'probes'> {
  return { probeAt: new Date(now.getTime() + PROBE_MS), probes: 0 }
}

function stateOf(
  { newestAt }: SourceHealth,
  confirmed: SourceFault | null,
  fault: SourceFault | null,
): SourceState {
  if (confirmed !== null && OFF_FAULTS.has(confirmed)) return 'off'
  if (fault !== null) return 'degraded'
  return newestAt === null ? 'unproven' : 'healthy'
}

/** A date ahead of the clock is no newer than now. */
function newerOf(known: Date | null, shown: Date | null, now: Date): Date | null {
  if (shown === null) return known
  const plausible = shown > now ? now : shown
  return known === null || plausible > known ? plausible : known
}
