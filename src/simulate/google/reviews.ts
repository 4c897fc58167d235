import type { SimulatedAnswer } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import type { Call } from './calls.ts'
import { indexOf, placeAfter, readToken, writeToken } from './tokens.ts'
import { reviewRow, reviewsPayload, rpcAnswer, type WireReview } from './wire.ts'

/** Larger pages get no data (reported 2026-09). */
const COUNT_MAX = 4_500
/** Play's code for an invalid request. */
const INVALID_ARGUMENT = [3]
const GATEWAY_ERROR = [5, null, [['type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError', [1]]]]

/** The reviews of one language, or the versions of one review. Unknown apps have no reviews, as in the real store. */
export function answerCall(world: World, call: Call, chunked: boolean, fault: Fault | null): SimulatedAnswer {
  const answer = (payload: unknown, error?: unknown): SimulatedAnswer => ({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: rpcAnswer(call.rpcId, payload, { chunked, error }),
  })
  switch (fault?.kind) {
    case 'null_payload':
      return answer(null, INVALID_ARGUMENT)
    case 'gateway_error':
      return answer(null, GATEWAY_ERROR)
    case 'gone':
    case 'empty_shell':
      return answer([])
    case 'changed':
      return answer([[{ id: 'a-new-shape', stars: 5 }], { next: null }])
  }
  const stored = world.reviews({ store: 'google', appId: call.appId, market: call.language })
  const reviews = throughFault(stored, fault)
  if (call.kind === 'history') {
    const review = reviews.find((one) => one.id === call.reviewId)
    return answer(review === undefined ? [] : [versionsOf(world, call.appId, review).map(reviewRow)])
  }
  if (call.count > COUNT_MAX) return answer(null, INVALID_ARGUMENT)
  const place = call.token === null ? { page: 1, after: null } : readToken(call.token)
  if (place === null) return answer(null, INVALID_ARGUMENT)
  if (fault?.kind === 'transient_empty' || fault?.kind === 'hole') {
    // An empty page with a token, which leads to the omitted reviews.
    return answer(reviewsPayload([], writeToken({ ...place, page: place.page + 1 })))
  }
  const ordered = call.newestFirst ? reviews : byRelevance(reviews)
  const start = indexOf(ordered, place)
  const shown = ordered.slice(start, start + Math.max(call.count, 1))
  const last = shown.at(-1)
  const ends = last === undefined || start + shown.length >= ordered.length
  const token = ends ? null : writeToken(placeAfter(last, place.page + 1))
  return answer(
    reviewsPayload(
      shown.map((review) => wireReview(world, call.appId, review)),
      token,
    ),
  )
}

/** An arbitrary order that is not by date. */
function byRelevance(reviews: readonly WorldReview[]): WorldReview[] {
  return reviews.toSorted((a, b) => b.body.length - a.body.length || (a.id < b.id ? -1 : 1))
}

function wireReview(world: World, appId: string, review: WorldReview): WireReview {
  return {
    id: review.id,
    author: review.author,
    stars: review.rating,
    title: review.title,
    body: review.body,
    shownAt: shownAtOf(review),
    version: review.version,
    edited: review.editedAt !== null,
    reply: world.official.reply({ store: 'google', appId, reviewId: review.id }),
  }
}

/** Newest first; the oldest is not marked as edited. */
function versionsOf(world: World, appId: string, review: WorldReview): WireReview[] {
  const current = wireReview(world, appId, review)
  const before = review.history.toReversed().map(
    (version, index, all): WireReview => ({
      ...current,
      stars: version.rating,
      title: version.title,
      body: version.body,
      shownAt: version.at,
      edited: index < all.length - 1,
    }),
  )
  return [current, ...before]
}
