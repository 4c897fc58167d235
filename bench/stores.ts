import { type Child, startChild } from './child.ts'

export type Stores = AsyncDisposable & {
  /** The settings of a service that polls these stores, every app once per second. */
  readonly settings: Readonly<Record<string, string>>
  /** Adds reviews to the apps at this rate until the next call. */
  readonly offer: (perSecond: number) => Promise<void>
}

/** The simulated stores in a separate process, with these Apple apps. */
export async function startStores(appIds: readonly string[]): Promise<Stores> {
  const child: Child = await startChild('stores')
  await child.call('addApps', appIds)
  const { appleUrl, googleUrl } = await child.call<{ appleUrl: string; googleUrl: string }>('urls')
  return {
    settings: {
      RADAR_APPLE_ITUNES_URL: appleUrl,
      RADAR_APPLE_WEB_URL: appleUrl,
      RADAR_GOOGLE_PLAY_URL: googleUrl,
      RADAR_REVIEWS_POLL_INTERVAL: '1s',
      RADAR_RATINGS_POLL_INTERVAL: '10s',
      RADAR_APPLE_REQUESTS_PER_MINUTE: '60000',
      RADAR_GOOGLE_REQUESTS_PER_MINUTE: '60000',
    },
    offer: async (perSecond) => {
      await child.call('offer', appIds, perSecond)
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}
