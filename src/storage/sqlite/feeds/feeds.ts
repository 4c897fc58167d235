import type { Clock } from '../../../runtime/clock.ts'
import { overdueWhere } from '../../feeds/overdue.ts'
import type { FeedCount, FeedStorage } from '../../port/feeds.ts'
import { FEED_VIEW_COLUMNS, type FeedViewRow, feedViewOf } from '../../tables/feeds/feed-rows.ts'
import { saveReleases } from '../../tables/feeds/releases.ts'
import { msOf } from '../../values.ts'
import { runSync } from '../../work.ts'
import type { Connection } from '../connect.ts'
import { claimFeeds } from './claim-feeds.ts'
import { demandOf } from './demand.ts'
import { commitFailures, commitRatings, commitReviews } from './polls.ts'
import { knownMalformedRows, quarantined, ratingsGrowth, unusual } from './quarantine.ts'
import { seenOf } from './seen.ts'

export function feedStorage(db: Connection, clock: Clock): FeedStorage {
  return {
    claim: async (request) => claimFeeds(db, request),

    release: async (feeds) =>
      db.transaction(() => {
        for (const { id, lease } of feeds) {
          db.run(
            `update feeds set next_poll_at = claimed_due_at, claimed_due_at = null, lease = null
             where id = ? and lease = ?`,
            id,
            lease,
          )
        }
      }),

    known: async (feedId, fingerprints) => seenOf(db, feedId, fingerprints),

    commitReviews: async (poll, fetched, pagingIncomplete, enrichment, decide, sourceFindings) =>
      db.transaction(() =>
        commitReviews(db, poll, fetched, pagingIncomplete, enrichment, decide, sourceFindings),
      ),

    commitRatings: async (observations, decide) =>
      db.transaction(() => commitRatings(db, observations, decide)),

    commitFailures: async (polls) => db.transaction(() => commitFailures(db, polls)),

    saveApps: async (apps, now) =>
      db.transaction(() => {
        for (const { store, appId, name, developer, iconUrl } of apps) {
          db.run(
            `insert into apps (store, app_id, name, developer, icon_url, updated_at) values (?, ?, ?, ?, ?, ?)
             on conflict (store, app_id) do update set name = excluded.name, developer = excluded.developer,
               icon_url = excluded.icon_url, updated_at = excluded.updated_at
             where excluded.updated_at >= apps.updated_at`,
            store,
            appId,
            name,
            developer,
            iconUrl,
            msOf(now),
          )
        }
        runSync(db, saveReleases(apps))
      }),

    isNameless: async ({ store, appId }) =>
      db.get(
        `select 1 as nameless
           where not exists (select 1 from apps where store = ?1 and app_id = ?2)
             and not exists (select 1 from feeds where store = ?1 and app_id = ?2 and kind = 'rating'
               and next_poll_at is not null)`,
        store,
        appId,
      ) !== undefined,

    appNames: async (apps) =>
      new Map(
        db
          .all<{ store: string; app_id: string; name: string }>(
            `select distinct a.store, a.app_id, a.name from json_each(?) wanted
               join apps a on a.store = wanted.value ->> 'store' and a.app_id = wanted.value ->> 'appId'`,
            JSON.stringify(apps.map(({ store, appId }) => ({ store, appId }))),
          )
          .map(({ store, app_id, name }) => [`${store}/${app_id}`, name]),
      ),

    list: async ({ failingOnly, limit }) =>
      db.snapshot(() => {
        // Two index reads avoid sorting a million feeds for one page.
        const failing = db.all<FeedViewRow>(
          `select ${FEED_VIEW_COLUMNS} from feeds
           where failing_since is not null and next_poll_at is not null order by id limit ?`,
          limit,
        )
        const healthy = failingOnly
          ? []
          : db.all<FeedViewRow>(
              `select ${FEED_VIEW_COLUMNS} from feeds
               where failing_since is null and next_poll_at is not null order by id limit ?`,
              limit - failing.length,
            )
        return [...failing, ...healthy].map(feedViewOf)
      }),

    overdue: async (now, limit) =>
      db.snapshot(() => {
        const where = overdueWhere('?1')
        return {
          count:
            db.get<{ count: number }>(`select count(*) as count from feeds where ${where}`, msOf(now))
              ?.count ?? 0,
          feeds: db
            .all<FeedViewRow>(
              `select ${FEED_VIEW_COLUMNS} from feeds where ${where} order by next_poll_at limit ?2`,
              msOf(now),
              limit,
            )
            .map(feedViewOf),
        }
      }),

    rawAnswer: async (feedId) =>
      db.get<{ raw: string }>('select raw from raw_answers where feed_id = ?', feedId)?.raw ?? null,

    unusual: async ({ limit }) => unusual(db, limit),

    knownMalformedRows: async (feedId) => knownMalformedRows(db, feedId),

    quarantined: async ({ limit }) => quarantined(db, limit),

    ratingsGrowth: async (app, storefronts, since) => ratingsGrowth(db, app, storefronts, since),

    demand: async (store) => demandOf(db, store),

    counts: async () =>
      // Each part reads only an index: reading the table takes a second with a million feeds.
      db
        .all<FeedCount>(
          `select store, kind, sum(active) as active, sum(failing) as failing, sum(due) as due,
           sum(fallback) as fallback, sum(frozen) as frozen, sum(quarantined) as quarantined
         from (
           select store, kind, count(*) as active, 0 as failing, count(*) filter (where next_poll_at <= ?) as due,
             0 as fallback, 0 as frozen, 0 as quarantined
           from feeds where next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, count(*), 0, 0, 0, 0
           from feeds indexed by feeds_failing
           where failing_since is not null and next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, 0, 0, count(*), 0, 0
           from feeds indexed by feeds_fallback
           where fallback_source is not null and next_poll_at is not null group by store, kind
           union all
           select store, kind, 0, 0, 0, 0, count(*), 0
           from feeds indexed by feeds_frozen
           where frozen_since is not null and next_poll_at is not null group by store, kind
           union all
           select f.store, f.kind, 0, 0, 0, 0, 0, count(*)
           from quarantined_rows q join feeds f on f.id = q.feed_id group by f.store, f.kind
         ) counted
         group by store, kind order by store, kind`,
          msOf(clock.now()),
        )
        .map((row) => ({ ...row })),
  }
}
