import type { Storefront } from '../../../model/vocabulary.ts'
import type { AppsAnswer } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { type AskDeps, ask, failed, failedAsChanged, type Turn } from './ask.ts'
import { lookUp, parseApps } from './lookup.ts'
import { jsonOf } from './unreadable.ts'

/** What Apple gives at most. */
const SEARCH_RESULTS_MAX = 200

/** iOS apps by name, best match first; a term without letters finds nothing and is not asked for. */
export async function searchApps(
  deps: AskDeps,
  query: { readonly term: string; readonly storefront: Storefront; readonly limit: number },
  turn: Turn,
): Promise<AppsAnswer> {
  const term = query.term.trim().toWellFormed()
  if (term === '') return { kind: 'ok', apps: [] }
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), SEARCH_RESULTS_MAX)
  const path = `/search?term=${encodeURIComponent(term)}&country=${query.storefront}&entity=software&limit=${limit}`
  const told = await ask(deps, { source: 'search', host: 'itunes', path }, turn)
  if (told.kind === 'failed') return told.trouble
  if (told.status !== 200) {
    return failedAsChanged('search', `it refuses our request with status ${told.status}`, told.text).trouble
  }
  const json = jsonOf('search', told)
  if (json.kind === 'failed') return json.trouble
  const found = parseApps(json.root)
  if (found.kind === 'changed') return failedAsChanged('search', found.detail, told.text).trouble
  return { kind: 'ok', apps: found.value.slice(0, limit).map((one) => one.app) }
}

/** The one app of that id, or `gone`. */
export async function oneApp(
  deps: AskDeps,
  query: { readonly appId: string; readonly storefront: Storefront },
  turn: Turn,
): Promise<AppsAnswer> {
  const { appId, storefront } = query
  if (!isAppleAppId(appId)) return noSuchApp('lookup', appId)
  const answer = await lookUp(deps, { appIds: [appId], storefront }, turn)
  if (answer.kind === 'failed') return answer.trouble
  if (answer.kind === 'refused') {
    return failed('gone', 'lookup', `Apple refuses the id ${appId}: ${answer.detail}`).trouble
  }
  const found = answer.apps.get(appId)
  if (found !== undefined) return { kind: 'ok', apps: [found.app] }
  return failed('gone', 'lookup', `The App Store of ${storefront} has no app ${appId}.`).trouble
}
