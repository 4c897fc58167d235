import type { AppsAnswer, Pace, RatingAnswer, StoreApp, StoreFailure } from '../appstore.ts'
import { type DetailsRead, readDetails } from './details-page.ts'
import { type RequestDeps, sendRequest, unreadable } from './request.ts'

/** An app's page: its name and its rating in one storefront. */

const SOURCE = 'details'

type Place = { readonly language: string; readonly country: string }

export type Details = Exclude<DetailsRead, { kind: 'unreadable' }>

export async function openDetails(
  deps: RequestDeps,
  appId: string,
  place: Place,
  pace: Pace,
  signal: AbortSignal,
): Promise<Details | StoreFailure> {
  const query = new URLSearchParams({ id: appId, hl: place.language, gl: place.country })
  const request = { method: 'GET', path: `/store/apps/details?${query}`, headers: {} } as const
  const response = await sendRequest(deps, SOURCE, request, pace, signal)
  if (response.kind === 'failed') return response.failure
  if (response.kind === 'not_found') {
    const detail = `Google Play has no app ${appId} in ${place.country} (status 404).`
    return { kind: 'gone', source: SOURCE, detail }
  }
  const details = readDetails(response.text, appId, deps.added?.app_data)
  if (details.kind === 'unreadable') return unreadable(SOURCE, details.reason, response.text)
  return details
}

export function ratingAnswerOf(details: Details | StoreFailure): RatingAnswer {
  if (details.kind !== 'details') return details
  const { app, source } = details
  if (app.rating === null) return { kind: 'empty', source, app }
  return { kind: 'ok', source, rating: app.rating, app }
}

export function appAnswerOf(details: Details | StoreFailure): AppsAnswer {
  return details.kind === 'details' ? { kind: 'ok', apps: [details.app satisfies StoreApp] } : details
}
