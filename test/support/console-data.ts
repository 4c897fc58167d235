import type { CreatedDestination, DestinationPage } from '../../src/contract/console/destinations.ts'
import type { CreatedInvitation, CreatedToken } from '../../src/contract/console/people.ts'
import type { DeliveryPage } from '../../src/contract/v1/deliveries.ts'
import type { ReviewPage } from '../../src/contract/v1/reviews.ts'
import { newId } from '../../src/model/ids.ts'
import type { SignedIn } from './console-client.ts'
import { publish } from './publish.ts'
import { baseline } from './radar.ts'
import { startReceiver } from './receiver.ts'
import { addApp, type TestService } from './service.ts'
import { until } from './until.ts'

/** An account with one item of each kind that has an ID. */
export type AccountData = AsyncDisposable & {
  readonly appId: string
  readonly secretText: string
  readonly destination: DestinationPage & CreatedDestination
  readonly watchId: string
  readonly watchSetId: string
  readonly fingerprint: string
  readonly deliveredId: string
  readonly deadId: string
  readonly replayId: string
  readonly invitation: CreatedInvitation
  readonly token: CreatedToken
}

/**
 * Fills an account through the console: a tracked app, a delivered event, a dead letter, a replay, an invitation and a
 * token.
 */
export async function createAccountData(
  running: TestService,
  who: SignedIn,
  appId: string,
): Promise<AccountData> {
  await using opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiver())
  const secretText = `Nobody else may read this ${appId}.`
  addApp(running.world, { store: 'apple', appId, name: `App ${appId}` })
  const { fetchJson } = who
  await fetchJson('GET', `/v1/apps/search?q=${appId}&store=apple`)
  await fetchJson('PUT', `/v1/tracked-apps/apple/${appId}`, { countries: ['us'] })
  const created = await fetchJson<CreatedDestination>('POST', '/destinations', {
    target_url: receiver.url,
    watch: { store: 'apple', app_id: appId, event_type: 'review.created' },
  })
  // No rating falls that far.
  await fetchJson('POST', `/v1/hooks/${created.id}/watch-sets`, {
    apps: [{ store: 'apple', app_id: appId }],
    event_type: 'rating.dropped',
    delta: 4,
  })
  const page = await fetchJson<DestinationPage>('GET', `/destinations/${created.id}`)
  const destination = { ...page, ...created }
  await baseline(running, appId)
  const where = { store: 'apple', appId, market: 'us' } as const
  publish(running, where, { body: secretText })
  const find = (status: string) => async () =>
    (await fetchJson<DeliveryPage>('GET', `/v1/deliveries?status=${status}`)).data[0]?.event_id
  const deliveredId = await until('the event is delivered', find('delivered'))
  receiver.answerWith(500, { 'content-type': 'text/html' }, `<script>alert("${secretText}")</script>`)
  publish(running, where, { body: secretText })
  const deadId = await until('the event is a dead letter', find('dead'))
  const [review] = (await fetchJson<ReviewPage>('GET', '/v1/reviews')).data
  // The filter matches nothing, so the dead letter stays.
  const replay = {
    id: newId('rpl'),
    accountId: who.accountId,
    filter: { store: 'google' },
    ratePerSecond: 1,
    createdAt: running.clock.now(),
  } as const
  await running.service.storage.deadLetters.createReplays([replay])
  await fetchJson('POST', `/v1/hooks/${destination.id}/test`, {})
  const data = {
    appId,
    secretText,
    destination,
    watchId: destination.watches[0]?.id ?? '',
    watchSetId: destination.watchSets[0]?.id ?? '',
    fingerprint: review?.fingerprint ?? '',
    deliveredId,
    deadId,
    replayId: replay.id,
    invitation: await fetchJson<CreatedInvitation>('POST', '/invitations', {
      email: `guest-${appId}@example.com`,
      role: 'member',
    }),
    token: await fetchJson<CreatedToken>('POST', '/tokens', { name: `token ${appId}` }),
  }
  const closing = opened.move()
  return { ...data, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}
