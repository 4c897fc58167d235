import { type SignedIn, signedIn } from '../../../test/support/console-client.ts'
import { startReceiver, type TestReceiver } from '../../../test/support/receiver.ts'
import { addApp, startTestService, type TestService } from '../../../test/support/service.ts'
import type { Visitor } from './browser.ts'

export const NOTES = { store: 'apple', appId: '1000000001', name: 'Larkspur Notes' } as const
export const RUNS = { store: 'google', appId: 'com.example.runs', name: 'Kestrel Runs' } as const

/** A service with two apps in the stores, somebody signed in, and a receiver. */
export async function startInhabited(): Promise<
  AsyncDisposable & { readonly running: TestService; readonly ann: SignedIn; readonly receiver: TestReceiver }
> {
  await using opened = new AsyncDisposableStack()
  const running = opened.use(await startTestService({ RADAR_ENRICHMENT: 'offline' }))
  addApp(running.world, NOTES, { average: '4.5', count: 1_000 }, ['us', 'de'])
  addApp(running.world, RUNS, { average: '4.2', count: 500 }, ['us', 'de'])
  const receiver = opened.use(await startReceiver())
  const ann = await signedIn(running, 'Ann')
  const closing = opened.move()
  return { running, ann, receiver, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** Gives a browser the session of somebody signed in. */
export async function enterAs(visitor: Visitor, running: TestService, person: SignedIn): Promise<void> {
  const cookies = person
    .cookie()
    .split('; ')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: running.url,
    }))
  await visitor.context.addCookies(cookies)
}
