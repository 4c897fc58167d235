import type { HookInput } from '../../operations/hooks/new-hook.ts'
import type { Operations } from '../../operations/operations.ts'
import { firstApp, SIMULATED_APPS } from '../../simulate/simulated-apps.ts'

/** The storefronts in which the demo tracks its apps. */
const STOREFRONTS = ['us', 'de', 'jp', 'br'] as const
/** The source of the destination that an automation platform created. */
export const PLATFORM = 'n8n'
/** More than the demo has before its broken release. */
const SPIKE_MIN_REVIEWS = 10
/** A fall that is visible in the second decimal place. */
const DELTA = 0.05

/** URLs of destinations. Only events for `receiver` are printed, so each one is printed once. */
export type DemoTargets = {
  readonly receiver: string
  readonly silentReceiver: string
  /** It fails two of three times. */
  readonly flaky: string
  /** It has no listener. */
  readonly dead: string
}

/** Tracks the apps and creates destinations of each kind. Returns the secrets by the path of the target. */
export async function createDestinations(
  { apps, hooks }: Pick<Operations, 'apps' | 'hooks'>,
  accountId: string,
  targets: DemoTargets,
): Promise<ReadonlyMap<string, string>> {
  const listings = SIMULATED_APPS.flatMap(({ appIds }) => [
    { store: 'apple' as const, appId: appIds.apple },
    { store: 'google' as const, appId: appIds.google },
  ])
  for (const listing of listings) await apps.track(accountId, listing, STOREFRONTS)
  await hooks.openInbox(accountId, null)
  const secrets = new Map<string, string>()
  for (const destination of destinations(targets)) {
    const { secret } = await hooks.create(accountId, { externalRef: null, watches: [], ...destination })
    secrets.set(new URL(destination.targetUrl).pathname, secret)
  }
  return secrets
}

type Destination = Pick<HookInput, 'source' | 'name' | 'description' | 'watchSets'> & {
  readonly targetUrl: string
}

function destinations({ receiver, silentReceiver, flaky, dead }: DemoTargets): readonly Destination[] {
  const { apple, google } = firstApp().appIds
  const first = [
    { store: 'apple' as const, appId: apple },
    { store: 'google' as const, appId: google },
  ]
  return [
    {
      source: 'api',
      name: 'Support desk',
      description: 'Opens a ticket for each review.',
      targetUrl: `${receiver}/support`,
      watchSets: [{ eventType: 'review.created', apps: null }],
    },
    {
      source: 'api',
      name: 'Rating alarms',
      description: 'Calls the product manager on duty.',
      targetUrl: `${receiver}/ratings`,
      watchSets: [{ eventType: 'rating.dropped', apps: null, delta: DELTA, storefronts: ['us'] }],
    },
    {
      source: 'api',
      name: 'Release monitor',
      description: 'Stops the rollout of a broken release.',
      targetUrl: `${receiver}/releases`,
      watchSets: [
        {
          eventType: 'reviews.spiked',
          apps: first,
          storefronts: ['us'],
          spikeMinReviews: SPIKE_MIN_REVIEWS,
        },
      ],
    },
    {
      source: PLATFORM,
      name: 'Negative reviews to a table',
      description: 'A workflow in n8n.',
      targetUrl: `${silentReceiver}/n8n`,
      watchSets: [{ eventType: 'review.created', apps: null, maxStars: 2 }],
    },
    {
      source: 'console',
      name: 'Product team',
      description: 'Reviews of Larkspur Notes, and ratings that recovered.',
      targetUrl: `${silentReceiver}/product`,
      watchSets: [
        { eventType: 'review.created', apps: first },
        { eventType: 'rating.recovered', apps: null, delta: DELTA },
      ],
    },
    {
      source: 'api',
      name: 'Flaky import',
      description: 'Its server fails two of three times.',
      targetUrl: flaky,
      watchSets: [{ eventType: 'review.created', apps: first, storefronts: ['us'] }],
    },
    {
      source: 'api',
      name: 'Old staging server',
      description: 'Its server was turned off a few days ago.',
      targetUrl: dead,
      watchSets: [{ eventType: 'review.created', apps: first, storefronts: ['us'] }],
    },
  ]
}
