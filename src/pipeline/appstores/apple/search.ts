import type { Storefront } from '../../../model/vocabulary.ts'
import type { AppsAnswer } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { lookUp, parseApps } from './lookup.ts'
import { failed, failedAsChanged, type RequestContext, type RequestDeps, sendRequest } from './request.ts'
import { readJson } from './unreadable.ts'

/** The most that Apple returns. */
const SEARCH_RESULTS_MAX = 200

/** iOS apps by name, best match first. An empty term returns none without a request. */
export async function searchApps(
  deps: RequestDeps,
  query: { readonly term: string; readonly storefront: Storefront; readonly limit: number },
  context: RequestContext,
): Promise<AppsAnswer> {
  const term = query.term.trim().toWellFormed()
  if (term === '') return { kind: 'ok', apps: [] }
  const limit = Math.min(Math.max(Math.trunc(query.limit), 1), SEARCH_RESULTS_MAX)
  const path = `/search?term=${encodeURIComponent(term)}&country=${query.storefront}&entity=software&limit=${limit}`
  const response = await sendRequest(deps, { source: 'search', host: 'itunes', path }, context)
  if (response.kind === 'failed') return response.failure
  if (response.status !== 200) {
    return failedAsChanged('search', `it rejects the request with status ${response.status}`, response.text)
      .failure
  }
  const found = readJson('search', response, parseApps)
  if (found.kind === 'failed') return found.failure
  return { kind: 'ok', apps: found.value.slice(0, limit).map((one) => one.app) }
}

/** The one app of that id, or `gone`. */
export async function oneApp(
  deps: RequestDeps,
  query: { readonly appId: string; readonly storefront: Storefront },
  context: RequestContext,
): Promise<AppsAnswer> {
  const { appId, storefront } = query
  if (!isAppleAppId(appId)) return noSuchApp('lookup', appId)
  const answer = await lookUp(deps, { appIds: [appId], storefront }, context)
  if (answer.kind === 'failed') return answer.failure
  if (answer.kind === 'rejected') {
    return failed('gone', 'lookup', `Apple rejects the id ${appId}: ${answer.detail}`).failure
  }
  const found = answer.apps.get(appId)
  if (found !== undefined) return { kind: 'ok', apps: [found.app] }
  return failed('gone', 'lookup', `The App Store of ${storefront} has no app ${appId}.`).failure
}
