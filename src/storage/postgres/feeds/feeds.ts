import type { Clock } from '../../../runtime/clock.ts'
import { overdueWhere } from '../../feeds/overdue.ts'
import type { FeedCount, FeedStorage } from '../../port/feeds.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from '../../tables/feeds/feed-rows.ts'
import { saveReleases } from '../../tables/feeds/releases.ts'
import { msOf } from '../../values.ts'
import { runAsync } from '../../work.ts'
import type { Database } from '../connect.ts'
import { claimFeeds } from './claim-feeds.ts'
import { demandOf } from './demand.ts'
import { commitFailures, commitRatings, commitReviews } from './polls.ts'
import { knownMalformedRows, quarantined, ratingsGrowth, unusual } from './quarantine.ts'
import { seenOf } from './seen.ts'

export function feedStorage(db: Database, clock: Clock): FeedStorage {
  return {
    claim: async (request) => claimFeeds(db, request),

    release: async (feeds) => {
      await db.run(
        `update feeds f set next_poll_at = f.claimed_due_at, claimed_due_at = null, lease = null
         from unnest($1::integer[], $2::text[]) as leased (id, lease)
         where f.id = leased.id and f.lease = leased.lease`,
        feeds.map(({ id }) => id),
        feeds.map(({ lease }) => lease),
      )
    },

    known: async (feedId, fingerprints) => seenOf(db, feedId, fingerprints),

    commitReviews: async (poll, fetched, pagingIncomplete, enrichment, decide, sourceFindings) =>
      db.transaction((tx) =>
        commitReviews(tx, poll, fetched, pagingIncomplete, enrichment, decide, sourceFindings),
      ),

    commitRatings: async (observations, decide) =>
      db.transaction((tx) => commitRatings(tx, observations, decide)),

    commitFailures: async (polls) => db.transaction((tx) => commitFailures(tx, polls)),

    saveApps: async (apps, now) => {
      // Differs from sqlite: one statement cannot update a row twice, so only the last entry of an app is used.
      const distinct = [...new Map(apps.map((app) => [`${app.store} ${app.appId}`, app])).values()]
      await db.transaction(async (tx) => {
        await tx.run(
          `insert into apps (store, app_id, name, developer, icon_url, updated_at)
         select answers.*, $6 from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as answers
         on conflict (store, app_id) do update set name = excluded.name, developer = excluded.developer,
           icon_url = excluded.icon_url, updated_at = excluded.updated_at
         where excluded.updated_at >= apps.updated_at`,
          distinct.map(({ store }) => store),
          distinct.map(({ appId }) => appId),
          distinct.map(({ name }) => name),
          distinct.map(({ developer }) => developer),
          distinct.map(({ iconUrl }) => iconUrl),
          msOf(now),
        )
        await runAsync(tx, saveReleases(apps))
      })
    },

    isNameless: async ({ store, appId }) =>
      (await db.get(
        `select 1 as nameless
           where not exists (select 1 from apps where store = $1 and app_id = $2)
             and not exists (select 1 from feeds where store = $1 and app_id = $2 and kind = 'rating'
               and next_poll_at is not null)`,
        store,
        appId,
      )) !== undefined,

    appNames: async (apps) =>
      new Map(
        (
          await db.all<{ store: string; app_id: string; name: string }>(
            `select distinct a.store, a.app_id, a.name from unnest($1::text[], $2::text[]) as wanted (store, app_id)
               join apps a using (store, app_id)`,
            apps.map(({ store }) => store),
            apps.map(({ appId }) => appId),
          )
        ).map(({ store, app_id, name }) => [`${store}/${app_id}`, name]),
      ),

    list: async ({ failingOnly, limit }) =>
      db.snapshot(async (tx) => {
        // Two index reads avoid sorting a million feeds for one page.
        const failing = await tx.all<FeedViewRow>(
          `select ${FEED_VIEW_COLUMNS} from feeds
           where failing_since is not null and next_poll_at is not null order by id limit $1`,
          limit,
        )
        const healthy = failingOnly
          ? []
          : await tx.all<FeedViewRow>(
              `select ${FEED_VIEW_COLUMNS} from feeds
               where failing_since is null and next_poll_at is not null order by id limit $1`,
              limit - failing.length,
            )
        return [...failing, ...healthy].map(feedViewOf)
      }),

    overdue: async (now, limit) => {
      const where = overdueWhere('$1::bigint')
      const counted = await db.get<{ count: number }>(
        `select count(*) as count from feeds where ${where}`,
        msOf(now),
      )
      const rows =
        limit === 0
          ? []
          : await db.all<FeedViewRow>(
              `select ${FEED_VIEW_COLUMNS} from feeds where ${where} order by next_poll_at limit $2`,
              msOf(now),
              limit,
            )
      return { count: counted?.count ?? 0, feeds: rows.map(feedViewOf) }
    },

    rawAnswer: async (feedId) =>
      (await db.get<{ raw: string }>('select raw from raw_answers where feed_id = $1', feedId))?.raw ?? null,

    unusual: async ({ limit }) => unusual(db, limit),

    knownMalformedRows: async (feedId) => knownMalformedRows(db, feedId),

    quarantined: async ({ limit }) => quarantined(db, limit),

    ratingsGrowth: async (app, storefronts, since) => ratingsGrowth(db, app, storefronts, since),

    demand: async (store) => demandOf(db, store),

    counts: async () =>
      // Each part reads only an index: reading the table takes a second with a million feeds.
      db.all<FeedCount>(
        `select store, kind, sum(active) as active, sum(failing) as failing, sum(due) as due,
           sum(fallback) as fallback, sum(frozen) as frozen, sum(quarantined) as quarantined
         from (
           select store, kind, count(*) as active, 0 as failing, count(*) filter (where next_poll_at <= $1) as due,
             0 as fallback, 0 as frozen, 0 as quarantined
           from feeds where next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, count(*), 0, 0, 0, 0
           from feeds
           where failing_since is not null and next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, 0, 0, count(*), 0, 0
           from feeds
           where fallback_source is not null and next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, 0, 0, 0, count(*), 0
           from feeds
           where frozen_since is not null and next_poll_at is not null group by store, kind
           union all
           select f.store, f.kind, 0, 0, 0, 0, 0, count(*)
           from quarantined_rows q join feeds f on f.id = q.feed_id group by f.store, f.kind
         ) counted
         group by store, kind order by store, kind`,
        msOf(clock.now()),
      ),
  }
}
