import type { SubscribeBody } from '../../src/contract/hook.ts'
import type { FeedView } from '../../src/model/feed.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { LoggedRequest, World } from '../../src/simulate/world.ts'
import type { Consumer } from './consumer.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'
import { until } from './until.ts'

/** Helpers for the service and the simulated stores. */

/** Subscribes the hook `name` and sets its secret in the consumer. Returns its ID. */
export async function subscribe(
  { client }: Person,
  consumer: Consumer,
  name: string,
  body: Omit<SubscribeBody, 'target_url'>,
): Promise<string> {
  const { id, secret } = await client.subscribe({ ...body, target_url: consumer.targetUrl(name) })
  consumer.setSecret(name, secret)
  return id
}

/** Requests about the app so far, oldest first. */
export function requestsFor(world: World, appId: string, source?: string): readonly LoggedRequest[] {
  return world
    .requests()
    .filter(({ appIds, source: of }) => appIds.includes(appId) && (source === undefined || of === source))
}

/**
 * Resolves when all current reviews are processed: each feed of the app was polled twice, because the first poll may have
 * been in progress, and nothing is queued for enrichment, fan-out or sending.
 */
export async function waitUntilProcessed(radar: TestService, appId: string): Promise<void> {
  const { storage } = radar.service
  for (const nth of ['polled', 'polled again']) {
    const before = await lastPolls(radar, appId)
    await until(`${appId} is ${nth}`, async () =>
      [...(await lastPolls(radar, appId))].every(([id, at]) => at !== null && at !== before.get(id)),
    )
  }
  await until('all queues are empty', async () => {
    const depths = await storage.maintenance.depths(instantOf(Date.now()))
    return depths.waitingForEnrichment + depths.waitingForFanOut + depths.pending === 0
  })
}

/** Waits for the first poll of the app's feeds. Later reviews are new. */
export async function baseline(radar: TestService, appId: string): Promise<void> {
  await until(`the feeds of ${appId} are polled`, async () => {
    const polls = await lastPolls(radar, appId)
    return polls.size > 0 && [...polls.values()].every((at) => at !== null)
  })
}

/** The active feeds of the app. */
export async function feedsOf(radar: TestService, appId: string): Promise<FeedView[]> {
  const feeds = await radar.service.storage.feeds.list({ failingOnly: false, limit: 1_000 })
  return feeds.filter((feed) => feed.appId === appId)
}

/** The time of the last successful poll, by feed. */
async function lastPolls(radar: TestService, appId: string): Promise<Map<number, number | null>> {
  return new Map((await feedsOf(radar, appId)).map(({ id, lastOkAt }) => [id, lastOkAt?.getTime() ?? null]))
}
