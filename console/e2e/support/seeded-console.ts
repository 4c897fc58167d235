import type { CreatedDestination } from '../../../src/contract/console/destinations.ts'
import { type SignedIn, signedIn } from '../../../test/support/console-client.ts'
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts'
import { startReceiver, type TestReceiver } from '../../../test/support/receiver.ts'
import { addApp, startTestService, type TestService } from '../../../test/support/service.ts'
import { type DisplayOptions, openBrowser, type Visitor, visit } from './browser.ts'

export const NOTES = { store: 'apple', appId: '1000000001', name: 'Larkspur Notes' } as const
export const RUNS = { store: 'google', appId: 'com.example.runs', name: 'Kestrel Runs' } as const

export type SeededConsole = AsyncDisposable & {
  readonly running: TestService
  readonly ann: SignedIn
  readonly receiver: TestReceiver
  /** Creates a destination for new reviews of `NOTES`, with the receiver as target. */
  readonly newDestination: () => Promise<CreatedDestination>
}

/** A service with two apps in the stores, a signed-in user, and a receiver. */
export async function startSeededConsole(
  settings: Readonly<Record<string, string>> = {},
): Promise<SeededConsole> {
  await using opened = new AsyncDisposableStack()
  const running = opened.use(await startTestService({ RADAR_ENRICHMENT: 'offline', ...settings }))
  addApp(running.world, NOTES, { average: '4.5', count: 1_000 }, ['us', 'de'])
  addApp(running.world, RUNS, { average: '4.2', count: 500 }, ['us', 'de'])
  const receiver = opened.use(await startReceiver())
  const ann = await signedIn(running, 'Ann')
  const closing = opened.move()
  return {
    running,
    ann,
    receiver,
    newDestination: () =>
      ann.fetchJson('POST', '/destinations', {
        target_url: receiver.url,
        watch: { store: NOTES.store, app_id: NOTES.appId, event_type: 'review.created' },
      }),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** A separate browser context in which the user is signed in. */
export async function openAs(
  running: TestService,
  user: SignedIn,
  display?: DisplayOptions,
): Promise<Visitor> {
  await using opened = new AsyncDisposableStack()
  const browser = opened.use(await openBrowser())
  const visitor = opened.use(await visit(browser, running.url, display))
  await enterAs(visitor, running, user)
  const closing = opened.move()
  return { ...visitor, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** Creates a destination and opens its page in a separate browser context. */
export async function openDestination(seeded: SeededConsole): Promise<Visitor & { readonly id: string }> {
  await using opened = new AsyncDisposableStack()
  const { id } = await seeded.newDestination()
  const visitor = opened.use(await openAs(seeded.running, seeded.ann))
  await visitor.page.goto(`/destinations/${id}`)
  const closing = opened.move()
  return { ...visitor, id, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** Copies the session of a signed-in user to a browser. */
export async function enterAs(visitor: Visitor, running: TestService, user: SignedIn): Promise<void> {
  const cookies = user
    .cookie()
    .split('; ')
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')),
      value: pair.slice(pair.indexOf('=') + 1),
      url: running.url,
    }))
  await visitor.context.addCookies(cookies)
}

export type MailConsole = AsyncDisposable & {
  readonly mail: MailServer
  readonly seeded: SeededConsole
  readonly visitor: Visitor
}

/** A console with a mail server, and its owner in a browser. */
export async function startMailConsole(
  settings: Readonly<Record<string, string>> = {},
): Promise<MailConsole> {
  await using opened = new AsyncDisposableStack()
  const mail = opened.use(await startMailServer())
  const seeded = opened.use(
    await startSeededConsole({
      RADAR_SMTP_URL: mail.url,
      RADAR_SMTP_FROM: 'Radar <radar@example.com>',
      RADAR_PUBLIC_URL: 'http://radar.example.com',
      ...settings,
    }),
  )
  const visitor = opened.use(await openAs(seeded.running, seeded.ann))
  const closing = opened.move()
  return { mail, seeded, visitor, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
