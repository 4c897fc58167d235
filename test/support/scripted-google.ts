import type { AddedFormats } from '../../src/pipeline/appstores/added-formats.ts'
import { createGoogle } from '../../src/pipeline/appstores/google/google.ts'
import {
  detailsPage,
  reviewsPayload,
  rpcAnswer,
  type WireApp,
  type WireReview,
} from '../../src/simulate/google/wire.ts'
import { proceed, type Script, scriptedEgress } from './scripted-egress.ts'

/** The client of Google Play with scripted answers. */

export const appId = 'com.example.atlas'
export const app: WireApp = {
  appId,
  name: 'Atlas',
  developer: 'Example Works',
  iconUrl: null,
  rating: { average: '4.25', count: 40 },
}
export const details = { body: detailsPage(app) }
export const noPayload: Script = { body: rpcAnswer('UsvDTd', null, { error: [3] }) }
export const signal = new AbortController().signal

export function withAnswers(...script: Script[]) {
  return withFormats({}, ...script)
}

export function withFormats(added: AddedFormats['google'] & {}, ...script: Script[]) {
  const scripted = scriptedEgress(...script)
  return {
    ...scripted,
    google: createGoogle({ egress: scripted.egress, playUrl: 'http://play.test/', added }),
  }
}

export function firstPage(google: ReturnType<typeof createGoogle>, market = 'en') {
  return google.reviewsPage({ appId, market, cursor: null }, proceed, signal)
}

export function page(rpcId: string, reviews: readonly WireReview[], token: string | null): Script {
  return { body: rpcAnswer(rpcId, reviewsPayload(reviews, token)) }
}

/** A review of this day; a higher number is newer. */
export function review(day: number): WireReview {
  return {
    id: `id-${day}`,
    author: 'Mira Tal',
    stars: 4,
    title: null,
    body: 'Good',
    shownAt: new Date(Date.UTC(2026, 5, 1 + day)),
    version: null,
    edited: false,
  }
}

export function callOf(body: string | Uint8Array | undefined): [string, unknown] {
  const calls = JSON.parse(new URLSearchParams(String(body)).get('f.req') ?? '') as [[[string, string]]]
  const [rpcId, request] = calls[0][0]
  return [rpcId, JSON.parse(request)]
}
