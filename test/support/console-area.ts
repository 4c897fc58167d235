import assert from 'node:assert/strict'
import type { CreatedDestination, DestinationPage } from '../../src/contract/console/destinations.ts'
import { type SignedIn, signedIn } from './console-client.ts'
import { publish } from './publish.ts'
import { baseline } from './radar.ts'
import { startReceiver, type TestReceiver } from './receiver.ts'
import { addApp, startTestService, type TestService } from './service.ts'

/** The App Store ID of "Sample Notes"; its Google Play ID is `com.example.notes`. */
export const APP = '402000001'

/** An account and the requests of the console's pages. It tracks no app and has no destination at first. */
export type ConsoleArea = AsyncDisposable & {
  readonly running: TestService
  /** The target of `newDestination`. */
  readonly receiver: TestReceiver
  readonly ann: SignedIn
  /** A request of Ann's. */
  readonly fetchJson: SignedIn['fetchJson']
  /** The error message of a request of Ann's. Fails for another status. */
  readonly fetchError: (status: number, method: string, path: string, body?: unknown) => Promise<string>
  /** Tracks the app in the United States and waits for its first poll: later reviews are new. */
  readonly trackStorefronts: () => Promise<void>
  /** A destination for new reviews of the app with one to three stars. */
  readonly newDestination: () => Promise<CreatedDestination>
  /** The page of a destination. */
  readonly page: (id: string) => Promise<DestinationPage>
  /** Publishes a review of the app. */
  readonly write: (review: Parameters<typeof publish>[2]) => void
}

/** Starts a service with three quick attempts per delivery. */
export async function startConsoleArea(
  settings: Readonly<Record<string, string>> = {},
): Promise<ConsoleArea> {
  await using opened = new AsyncDisposableStack()
  const running = opened.use(await startTestService({ RADAR_RETRY_WAITS: '20ms,20ms', ...settings }))
  const receiver = opened.use(await startReceiver())
  addApp(running.world, { store: 'apple', appId: APP, name: 'Sample Notes' })
  addApp(running.world, { store: 'google', appId: 'com.example.notes', name: 'Sample Notes' })
  const ann = await signedIn(running, 'Ann')
  const { fetchJson } = ann

  const closing = opened.move()
  return {
    running,
    receiver,
    ann,
    fetchJson,
    async fetchError(status, method, path, body) {
      const answer = await ann.request(method, path, body)
      assert.equal(answer.status, status, answer.text)
      return answer.json<{ error: string }>().error
    },
    async trackStorefronts() {
      await fetchJson('PUT', `/v1/tracked-apps/apple/${APP}`, { countries: ['us'] })
      await baseline(running, APP)
    },
    newDestination: () =>
      fetchJson('POST', '/destinations', {
        target_url: receiver.url,
        watch: { store: 'apple', app_id: APP, event_type: 'review.created', max_stars: 3 },
      }),
    page: (id) => fetchJson('GET', `/destinations/${id}`),
    write: (review) => void publish(running, { store: 'apple', appId: APP, market: 'us' }, review),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
