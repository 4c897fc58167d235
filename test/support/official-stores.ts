import { createAppStoreConnect } from '../../src/pipeline/appstores/appstoreconnect/appstoreconnect.ts'
import { createGooglePlayDeveloper } from '../../src/pipeline/appstores/googleplay-developer/googleplay-developer.ts'
import type {
  AppStoreConnectCredentials,
  GooglePlayCredentials,
  OfficialContext,
  OfficialStore,
} from '../../src/pipeline/appstores/official.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Egress, EgressAnswer, EgressRequest } from '../../src/runtime/egress/egress.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { createAppleKey, createServiceAccount } from '../../src/simulate/official/connect.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld, type World } from '../../src/simulate/world.ts'
import { type TestClock, testClock } from './clock.ts'

/** The clients of both official APIs with the simulated stores, over real HTTP. */
export type OfficialStores = AsyncDisposable & {
  readonly world: World
  /** The clock of the clients and, without a skew, of the stores. */
  readonly clock: TestClock
  readonly apple: OfficialStore
  readonly google: OfficialStore
  readonly context: OfficialContext
  /** All requests of the clients, with their answers. */
  readonly exchanges: readonly { readonly request: EgressRequest; readonly answer: EgressAnswer }[]
  readonly urls: { readonly apple: string; readonly google: string }
  /** New clients without tokens. */
  readonly restart: () => { readonly apple: OfficialStore; readonly google: OfficialStore }
  readonly appleCredentials: (options?: Parameters<typeof createAppleKey>[1]) => AppStoreConnectCredentials
  readonly googleCredentials: (options: Parameters<typeof createServiceAccount>[1]) => GooglePlayCredentials
}

export const APPLE_APP = '9100000101'
export const GOOGLE_APP = 'com.example.larkspur'

export async function startOfficialStores(): Promise<OfficialStores> {
  const world = createWorld()
  for (const [store, appId] of [
    ['apple', APPLE_APP],
    ['google', GOOGLE_APP],
  ] as const) {
    world.addApp({ store, appId, name: 'Larkspur Notes', developer: 'Larkspur Works', iconUrl: null })
  }
  // Requests of one key are spaced; the tests of the spacing have their own clock.
  const clock = testClock({ sleepMsMax: 1 })
  const simulation = await startSimulation({
    host: '127.0.0.1',
    world,
    clock: { ...clock, sleep: systemClock.sleep },
    log: silentLog,
  })
  const opened = openEgress({ guard: null, userAgent: 'review-radar/test' })
  const exchanges: { request: EgressRequest; answer: EgressAnswer }[] = []
  const egress: Egress = {
    request: async (request) => {
      const answer = await opened.request(request)
      exchanges.push({ request, answer })
      return answer
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
  const { appleUrl, googleUrl } = simulation
  const restart = () => ({
    apple: createAppStoreConnect({ egress, clock, baseUrl: appleUrl, timeoutMs: 60_000 }),
    google: createGooglePlayDeveloper({
      egress,
      clock,
      baseUrl: googleUrl,
      oauthUrl: googleUrl,
      storageUrl: googleUrl,
      timeoutMs: 60_000,
    }),
  })
  return {
    world,
    clock,
    ...restart(),
    restart,
    exchanges,
    urls: { apple: appleUrl, google: googleUrl },
    context: { pace: async () => true, signal: new AbortController().signal },
    appleCredentials: (options) => ({ kind: 'appstoreconnect', ...createAppleKey(world, options) }),
    googleCredentials: (options) => {
      const file = createServiceAccount(world, options)
      return {
        kind: 'googleplay-developer',
        clientEmail: file.client_email,
        privateKeyId: file.private_key_id,
        privateKey: file.private_key,
        reportsBucket: options.bucket ?? null,
      }
    },
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]()
      await simulation[Symbol.asyncDispose]()
    },
  }
}

/** Adds reviews, one per hour, the last one an hour ago. */
export function addReviews(
  world: World,
  where: { readonly store: 'apple' | 'google'; readonly appId: string; readonly market: string },
  count: number,
  options: { readonly now: Date; readonly firstId?: number; readonly gapMs?: number },
): string[] {
  const { now, firstId = 14_000_000_001, gapMs = 3_600_000 } = options
  return Array.from({ length: count }, (_, index) => {
    const number = firstId + index
    const id =
      where.store === 'apple'
        ? String(number)
        : `${String(number).padStart(8, '0').slice(-8)}-0000-4000-8000-${where.market.padEnd(2, '0')}00000000ab`.replace(
            /[^0-9a-f-]/g,
            '0',
          )
    world.addReview(where, {
      id,
      rating: (index % 5) + 1,
      title: index % 2 === 0 ? `Title ${number}` : null,
      body: `Text ${number} 🎉\nwith "quotes", commas\tand <tags>`,
      author: `Author ${number}`,
      version: `1.${index}`,
      publishedAt: new Date(now.getTime() - (count - index) * gapMs),
    })
    return id
  })
}
