import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { json } from '../official/fault-answer.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { badRequest, errorAnswer, noReview } from './errors.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000
const RESULTS = { default: 10, max: 100 } as const
const REPLY_CHARS_MAX = 350

type ShownReview = { readonly language: string; readonly review: WorldReview }

/** All reviews of an app with a text, newest first. Those without one are only in the reports. */
function shownReviews(world: World, appId: string, fault: Fault | null): ShownReview[] {
  return world
    .reviewsOfApp({ store: 'google', appId })
    .flatMap(({ market, reviews }) =>
      throughFault(reviews, fault).map((review) => ({ language: market, review })),
    )
    .filter(({ review }) => review.body !== '')
    .sort(
      (a, b) =>
        shownAtOf(b.review).getTime() - shownAtOf(a.review).getTime() || (a.review.id < b.review.id ? 1 : -1),
    )
}

/** `GET …/reviews`: the last week only. Without reviews the list is absent, and on the last page the token. */
export function listAnswer(
  world: World,
  appId: string,
  url: URL,
  at: Date,
  fault: Fault | null,
): SimulatedAnswer {
  const query = url.searchParams
  const count = Math.min(Number(query.get('maxResults') ?? RESULTS.default), RESULTS.max)
  if (!Number.isInteger(count) || count < 1) return errorAnswer(badRequest('maxResults is invalid.'))
  const since = at.getTime() - WEEK_MS
  const all = shownReviews(world, appId, fault).filter(({ review }) => shownAtOf(review).getTime() >= since)
  const token = query.get('token')
  const place = token === null ? null : placeOf(token)
  if (token !== null && place === null) return errorAnswer(badRequest('The token is invalid.'))
  const start =
    place === null
      ? 0
      : all.findIndex(({ review }) => {
          const time = shownAtOf(review).getTime()
          return time < place.time || (time === place.time && review.id < place.id)
        })
  const page = start < 0 ? [] : all.slice(start, start + count)
  const last = page.at(-1)
  const hasMore = last !== undefined && start + page.length < all.length
  return json(200, {
    ...(page.length === 0 ? {} : { reviews: page.map((shown) => wireReview(world, appId, shown, query)) }),
    ...(hasMore ? { tokenPagination: { nextPageToken: tokenOf(last) } } : {}),
  })
}

/** `GET …/reviews/{reviewId}`: also of an older one. */
export function oneAnswer(
  world: World,
  appId: string,
  reviewId: string,
  url: URL,
  fault: Fault | null,
): SimulatedAnswer {
  const shown = shownReviews(world, appId, fault).find(({ review }) => review.id === reviewId)
  if (shown === undefined) return errorAnswer(noReview(reviewId))
  return json(200, wireReview(world, appId, shown, url.searchParams))
}

/** `POST …/reviews/{reviewId}:reply`: creates or replaces, at once. */
export function replyAnswer(
  world: World,
  appId: string,
  reviewId: string,
  request: SimulatedRequest,
  at: Date,
): SimulatedAnswer {
  const text = replyTextOf(request.body)
  if (text === null || text.trim() === '') return errorAnswer(badRequest('replyText is missing.'))
  // Well-formed tags are removed and not counted.
  const stripped = text.replace(/<\/?[a-z][^<>]*>/gi, '')
  if ([...stripped].length > REPLY_CHARS_MAX) {
    return errorAnswer(badRequest(`The reply is longer than ${REPLY_CHARS_MAX} characters.`))
  }
  if (!shownReviews(world, appId, null).some(({ review }) => review.id === reviewId)) {
    return errorAnswer(noReview(reviewId))
  }
  world.official.setReply(
    { store: 'google', appId, reviewId },
    { id: reviewId, text: stripped, writtenAt: at },
  )
  return json(200, { result: { replyText: stripped, lastEdited: timestampOf(at) } })
}

function replyTextOf(body: string): string | null {
  try {
    const value = (JSON.parse(body) as { replyText?: unknown } | null)?.replyText
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function wireReview(world: World, appId: string, { language, review }: ShownReview, query: URLSearchParams) {
  const reply = world.official.reply({ store: 'google', appId, reviewId: review.id })
  const text = `${review.title ?? ''}\t${review.body}`
  const translation = query.get('translationLanguage')
  return {
    reviewId: review.id,
    ...(review.author === null ? {} : { authorName: review.author }),
    comments: [
      {
        userComment: {
          text: translation === null ? text : `[${translation}] ${text}`,
          ...(translation === null ? {} : { originalText: text }),
          lastModified: timestampOf(shownAtOf(review)),
          starRating: review.rating,
          reviewerLanguage: DEVICE_LANGUAGES[language] ?? language,
          device: 'oriole',
          androidOsVersion: 35,
          ...(review.version === null ? {} : { appVersionName: review.version }),
          thumbsUpCount: 0,
          thumbsDownCount: 0,
          deviceMetadata: { productName: 'oriole (Pixel 6)', manufacturer: 'Google', deviceClass: 'phone' },
        },
      },
      ...(reply === null
        ? []
        : [{ developerComment: { text: reply.text, lastModified: timestampOf(reply.writtenAt) } }]),
    ],
  }
}

const DEVICE_LANGUAGES: Readonly<Record<string, string>> = { en: 'en_US', pt: 'pt_BR', fr: 'fr_FR' }

/** `seconds` is text. */
function timestampOf(at: Date) {
  const ms = at.getTime()
  return { seconds: String(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 }
}

function tokenOf({ review }: ShownReview): string {
  return Buffer.from(JSON.stringify([shownAtOf(review).getTime(), review.id])).toString('base64url')
}

function placeOf(token: string): { readonly time: number; readonly id: string } | null {
  try {
    const [time, id] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as unknown[]
    return typeof time === 'number' && typeof id === 'string' ? { time, id } : null
  } catch {
    return null
  }
}
