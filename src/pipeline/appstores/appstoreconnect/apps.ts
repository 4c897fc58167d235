import { failed } from '../official/failure.ts'
import { changedAnswer } from '../official/send.ts'
import type {
  AppStoreConnectCredentials,
  CredentialCheck,
  OfficialContext,
  OfficialFailure,
  ReachedApp,
  ReachedAppsAnswer,
} from '../official.ts'
import { recordOf, textOf } from '../parsed.ts'
import { API, type AppStoreConnectState } from './deps.ts'
import { ask } from './request.ts'

const APPS_PATH = '/v1/apps'
const FIRST_PAGE = `${APPS_PATH}?fields[apps]=name,bundleId&limit=200`
/** 4,000 apps. */
const PAGES_MAX = 20

export async function reachedApps(
  deps: AppStoreConnectState,
  credentials: AppStoreConnectCredentials,
  context: OfficialContext,
): Promise<ReachedAppsAnswer> {
  const apps = new Map<string, ReachedApp>()
  let path: string | null = FIRST_PAGE
  const asked = new Set<string>()
  let quota = null
  for (let page = 0; page < PAGES_MAX && path !== null && !asked.has(path); page += 1) {
    asked.add(path)
    const about = { kind: 'apps', id: '' } as const
    const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
    if (answer.kind === 'failed') return answer
    quota = answer.quota ?? quota
    const data = answer.root?.data
    if (!Array.isArray(data)) return changedAnswer(API, 'the apps have no list `data`', answer.answer)
    for (const item of data) {
      const app = readApp(item)
      if (app === null) return changedAnswer(API, 'an app has no numeric id', answer.answer)
      apps.set(app.appId, app)
    }
    const next = recordOf(answer.root?.links)?.next
    const url = typeof next === 'string' ? URL.parse(next, 'https://store.invalid') : null
    path = url !== null && url.pathname === APPS_PATH ? url.pathname + url.search : null
  }
  return { kind: 'ok', apps: [...apps.values()], quota }
}

function readApp(item: unknown): ReachedApp | null {
  const row = recordOf(item)
  const attributes = recordOf(row?.attributes)
  if (typeof row?.id !== 'string' || !/^\d{1,15}$/.test(row.id)) return null
  return {
    store: 'apple',
    appId: row.id,
    name: textOf(attributes?.name),
    bundleId: textOf(attributes?.bundleId),
  }
}

/** Lists the apps, then reads one review of each wanted app, or of the first one: both need rights of their own. */
export async function checkCredentials(
  deps: AppStoreConnectState,
  query: { readonly credentials: AppStoreConnectCredentials; readonly appIds: readonly string[] },
  context: OfficialContext,
): Promise<CredentialCheck> {
  const { credentials } = query
  const listed = await reachedApps(deps, credentials, context)
  if (listed.kind === 'failed') return listed
  const known = new Set(listed.apps.map((app) => app.appId))
  const unreachable: { appId: string; failure: OfficialFailure }[] = []
  for (const appId of query.appIds) {
    if (known.has(appId)) continue
    const detail = `This key has no access to the app ${appId}: it belongs to another team, or the id is wrong.`
    unreachable.push({ appId, failure: failed('app_not_found', detail, { field: 'app_id' }) })
  }
  const tried = query.appIds.find((appId) => known.has(appId)) ?? listed.apps[0]?.appId
  if (tried !== undefined) {
    const path = `/v1/apps/${tried}/customerReviews?sort=-createdDate&limit=1`
    const about = { kind: 'app', id: tried } as const
    const answer = await ask(deps, credentials, { method: 'GET', path, about }, context)
    if (answer.kind === 'failed') return answer
    if (!Array.isArray(answer.root?.data)) {
      return changedAnswer(API, 'the reviews have no list `data`', answer.answer)
    }
  }
  const read = tried === undefined ? 'unknown' : 'granted'
  return {
    kind: 'ok',
    apps: listed.apps,
    unreachable,
    // Apple has no request for the roles of a key, and a key that reads may still be refused a reply.
    rights: { readReviews: read, reply: 'unknown', history: read },
    warnings: [],
    quota: listed.quota,
  }
}
