import type { SubscribeBody } from '../../src/contract/hook.ts'
import type { FeedView } from '../../src/model/feed.ts'
import type { LoggedRequest, World } from '../../src/simulate/world.ts'
import type { Consumer } from './consumer.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** What the tests of the guarantees say to the service and ask of the simulated stores. */

/** Subscribes the hook called `name` and lets the consumer verify by its secret. Its id. */
export async function subscribe(
  { client }: Person,
  consumer: Consumer,
  name: string,
  body: Omit<SubscribeBody, 'target_url'>,
): Promise<string> {
  const { id, secret } = await client.subscribe({ ...body, target_url: consumer.targetUrl(name) })
  consumer.trust(name, secret)
  return id
}

/** Requests about the app so far, oldest first. */
export function asked(world: World, appId: string, source?: string): readonly LoggedRequest[] {
  return world
    .requests()
    .filter(({ appIds, source: of }) => appIds.includes(appId) && (source === undefined || of === source))
}

/**
 * Resolves when everything that the stores show now has run through: each feed of the app was visited well twice (the
 * first visit may have been under way), and nothing waits for enrichment, fan-out or an attempt. What has not arrived
 * by then never will.
 */
export async function runThrough(radar: TestService, appId: string): Promise<void> {
  const { storage } = radar.service
  for (const visit of ['visited', 'visited again']) {
    const before = await lastVisits(radar, appId)
    await until(`${appId} was ${visit}`, async () =>
      [...(await lastVisits(radar, appId))].every(([id, at]) => at !== null && at !== before.get(id)),
    )
  }
  await until('nothing waits', async () => {
    const depths = await storage.maintenance.depths(new Date())
    return depths.waitingForEnrichment + depths.waitingForFanOut + depths.pending === 0
  })
}

/** The feeds of the app have been read for the first time: what is published from now on is new to them. */
export async function baseline(radar: TestService, appId: string): Promise<void> {
  await until(`the feeds of ${appId} were read once`, async () => {
    const visits = await lastVisits(radar, appId)
    return visits.size > 0 && [...visits.values()].every((at) => at !== null)
  })
}

/** The active feeds of the app, as the operator sees them. */
export async function feedsOf(radar: TestService, appId: string): Promise<FeedView[]> {
  const feeds = await radar.service.storage.feeds.list({ failingOnly: false, limit: 1_000 })
  return feeds.filter((feed) => feed.appId === appId)
}

/** By feed: the instant of its last good visit. */
async function lastVisits(radar: TestService, appId: string): Promise<Map<number, number | null>> {
  return new Map((await feedsOf(radar, appId)).map(({ id, lastOkAt }) => [id, lastOkAt?.getTime() ?? null]))
}
