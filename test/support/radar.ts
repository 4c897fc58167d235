import type { SubscribeBody } from '../../src/contract/hook.ts'
import type { FeedView } from '../../src/model/feed.ts'
import type { LoggedRequest, World } from '../../src/simulate/world.ts'
import type { Consumer } from './consumer.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Helpers of the guarantee tests, for the service and the simulated stores. */

/** Subscribes the hook `name` and registers its secret with the consumer. Returns its id. */
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
export function requestsFor(world: World, appId: string, source?: string): readonly LoggedRequest[] {
  return world
    .requests()
    .filter(({ appIds, source: of }) => appIds.includes(appId) && (source === undefined || of === source))
}

/**
 * Resolves when all current reviews are processed: each feed of the app was polled twice (the first poll may have been
 * under way), and nothing is queued for enrichment, fan-out or an attempt.
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

/** Waits for the first poll of the app's feeds: later reviews are new to them. */
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

/** The last successful poll, by feed. */
async function lastVisits(radar: TestService, appId: string): Promise<Map<number, number | null>> {
  return new Map((await feedsOf(radar, appId)).map(({ id, lastOkAt }) => [id, lastOkAt?.getTime() ?? null]))
}
