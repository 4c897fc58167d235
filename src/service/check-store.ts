import type { SourceFinding } from '../model/source-health.ts'
import type { Store, Storefront } from '../model/vocabulary.ts'
import { officialSourceChecks } from '../pipeline/appstores/official/source-checks.ts'
import type { StoreCredentials } from '../pipeline/appstores/official.ts'
import { type SourceCheck, type SourceVerdict, sourceChecks } from '../pipeline/appstores/source-check.ts'
import { compareSources } from '../pipeline/collect/compare-sources.ts'
import { type Clock, systemClock } from '../runtime/clock.ts'
import type { Egress, EgressRequest } from '../runtime/egress/egress.ts'
import { openEgress } from '../runtime/egress/open.ts'
import { silentLog } from '../runtime/log.ts'
import type { Config } from './config/config.ts'
import { openAppStores, openOfficialStores } from './from-config.ts'
import { type CleanAnswer, createCleanAnswer } from './store-answer/clean-answer.ts'
import { keyPathsOf } from './store-answer/key-paths.ts'
import { VERSION } from './version.ts'

export type CheckedApp = { readonly store: Store; readonly appId: string; readonly storefront: Storefront }

export type CheckedSource = {
  readonly source: string
  readonly serves: SourceCheck['serves']
  readonly verdict: SourceVerdict
  /** The status of the last answer; null without one. */
  readonly status: number | null
  readonly ms: number
  /** The requests and answers, as text; null without an answer. */
  readonly exchange: string | null
  /** Of the last answer. */
  readonly answer: AnswerFacts | null
}

/** What a report says of an answer: nothing of its content. */
export type AnswerFacts = {
  readonly bytes: number
  readonly headers: readonly string[]
  readonly keyPaths: readonly string[]
}

/** Headers about caches, without those that name machines on the way. */
const REPORTED_HEADERS = [
  'content-type',
  'cache-control',
  'age',
  'expires',
  'last-modified',
  'retry-after',
  'vary',
  'x-cache',
]
const HEADER_CHARS_MAX = 80
/** For each source. An answer of Google has about as many. */
const KEY_PATHS_MAX = 60

/** Between two requests. A running service shares the store's limit, which is per minute. */
const GAP_MS = 1_000

/**
 * Requests every public source of an app once, in the order in which polls request them, and the official API if there are
 * credentials. Names and texts are removed from the exchanges, unless `raw` is set.
 */
export async function* checkStore(
  config: Config,
  app: CheckedApp,
  credentials: StoreCredentials | null,
  { signal, raw }: { readonly signal: AbortSignal; readonly raw: boolean },
  clock: Clock = systemClock,
): AsyncGenerator<CheckedSource> {
  await using opened = openEgress({
    guard: null,
    userAgent: `ReviewRadar/${VERSION}`,
    proxy: config.outboundProxy,
  })
  const recorder = recordExchanges(opened, raw ? (text) => text : createCleanAnswer())
  let isFirst = true
  const checks = [
    ...(config.stores.publicSources === 'off' ? [] : publicChecks(config, recorder.egress, app)),
    ...(credentials === null ? [] : officialChecks(config, recorder.egress, app.appId, credentials)),
  ]
  for (const check of checks) {
    if (!isFirst) await clock.sleep(GAP_MS, signal)
    isFirst = false
    if (signal.aborted) return
    const startedMs = clock.monotonicMs()
    const verdict = await check.ask(async () => !signal.aborted, signal)
    const ms = Math.round(clock.monotonicMs() - startedMs)
    const { source, serves } = check
    yield { source, serves, verdict, ms, ...recorder.take() }
  }
}

/** What the sources of reviews show of the app, compared with each other. A quiet app proves no delay of the store. */
export function findingsOf(checked: readonly CheckedSource[], now: Date): ReadonlyMap<string, SourceFinding> {
  const asked = checked.flatMap(({ source, verdict: { asked: one } }) =>
    one === null ? [] : [{ source, ...one }],
  )
  return compareSources(asked, now)
}

function publicChecks(config: Config, egress: Egress, app: CheckedApp): SourceCheck[] {
  const appStore = openAppStores(config, egress, silentLog).find(({ store }) => store === app.store)
  return appStore === undefined ? [] : sourceChecks(appStore, app)
}

function officialChecks(
  config: Config,
  egress: Egress,
  appId: string,
  credentials: StoreCredentials,
): SourceCheck[] {
  const store = openOfficialStores(config, egress, systemClock).find(({ kind }) => kind === credentials.kind)
  return store === undefined ? [] : officialSourceChecks(store, credentials, appId)
}

/** An egress that keeps its answers as text until they are taken. */
function recordExchanges(
  inner: Egress,
  clean: CleanAnswer,
): {
  readonly egress: Pick<Egress, 'request'> & AsyncDisposable
  readonly take: () => Pick<CheckedSource, 'status' | 'exchange' | 'answer'>
} {
  let texts: string[] = []
  let status: number | null = null
  let facts: AnswerFacts | null = null
  return {
    egress: {
      request: async (request) => {
        const answer = await inner.request(request)
        status = answer.status
        // The exchange of a token has secrets in both directions.
        if (answer.kind === 'answered' && new URL(request.url).pathname !== '/token') {
          const text = answer.body.toString('utf8')
          texts.push(exchangeText(request, answer.status, answer.headers, clean(text)))
          facts = factsOf(answer.headers, text, answer.body.length)
        }
        return answer
      },
      [Symbol.asyncDispose]: async () => {},
    },
    take: () => {
      const taken = { status, exchange: texts.length === 0 ? null : texts.join('\n\n'), answer: facts }
      texts = []
      status = null
      facts = null
      return taken
    },
  }
}

function factsOf(headers: Readonly<Record<string, string>>, text: string, bytes: number): AnswerFacts {
  const reported = REPORTED_HEADERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}: ${value.slice(0, HEADER_CHARS_MAX)}`]
  })
  return { bytes, headers: reported, keyPaths: keyPathsOf(text, KEY_PATHS_MAX) }
}

/** Headers that may identify the sender. */
const OMITTED_HEADERS = ['set-cookie', 'authorization', 'cookie']

function exchangeText(
  request: EgressRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): string {
  const lines = (from: Readonly<Record<string, string>>) =>
    Object.entries(from)
      .filter(([name]) => !OMITTED_HEADERS.includes(name.toLowerCase()))
      .map(([name, value]) => `${name}: ${value}`)
  const sent = request.body === undefined ? [] : ['', String(request.body)]
  return [
    `${request.method} ${request.url}`,
    ...lines(request.headers),
    ...sent,
    '',
    `${status}`,
    ...lines(headers),
    '',
    body,
  ].join('\n')
}
