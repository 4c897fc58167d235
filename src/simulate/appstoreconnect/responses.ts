import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { SimulatedAnswer, SimulatedRequest } from '../answer.ts'
import { json } from '../official/fault-answer.ts'
import type { World } from '../world.ts'
import { errorAnswer, notFound } from './errors.ts'
import { pacificTime } from './pacific-time.ts'
import { type ShownReview, shownReviews } from './shown-reviews.ts'

/** The limit that public clients use; Apple documents none. */
const BODY_CHARS_MAX = 5_970

type Response = {
  readonly id: string
  readonly text: string
  readonly writtenAt: Date
  readonly state: 'PUBLISHED' | 'PENDING_PUBLISH'
}

export function responseOf(world: World, { appId, publicId }: ShownReview, at: Date): Response | null {
  const reply = world.official.reply({ store: 'apple', appId, reviewId: publicId })
  if (reply === null) return null
  const isPublished = at.getTime() - reply.writtenAt.getTime() >= world.official.settings().publishDelayMs
  return { ...reply, state: isPublished ? 'PUBLISHED' : 'PENDING_PUBLISH' }
}

export function includedOf(world: World, shown: ShownReview, at: Date) {
  const response = responseOf(world, shown, at)
  return response === null ? [] : [resourceOfResponse(response)]
}

export function resourceOfResponse({ id, text, writtenAt, state }: Response) {
  return {
    type: 'customerReviewResponses',
    id,
    attributes: { responseBody: text, lastModifiedDate: pacificTime(writtenAt), state },
  }
}

const CREATE = z.object({
  data: z.object({
    type: z.literal('customerReviewResponses'),
    attributes: z.object({ responseBody: z.string() }),
    relationships: z.object({
      review: z.object({ data: z.object({ type: z.literal('customerReviews'), id: z.string() }) }),
    }),
  }),
})

/** `POST /v1/customerReviewResponses`: creates the answer, or replaces it without an error. */
export function createResponse(
  world: World,
  request: SimulatedRequest,
  reaches: (appId: string) => boolean,
  at: Date,
): SimulatedAnswer {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return errorAnswer({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', detail: 'The body has to be JSON.' })
  }
  let value: unknown
  try {
    value = JSON.parse(request.body)
  } catch {
    return errorAnswer({ status: 422, code: 'UNPROCESSABLE_ENTITY', detail: 'The body is not JSON.' })
  }
  const parsed = CREATE.safeParse(value)
  if (!parsed.success) {
    const pointer = `/${parsed.error.issues[0]?.path.join('/') ?? 'data'}`
    return errorAnswer({
      status: 409,
      code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      detail: 'A required value is missing or invalid.',
      source: { pointer },
    })
  }
  const { attributes, relationships } = parsed.data.data
  const { responseBody } = attributes
  const pointer = '/data/attributes/responseBody'
  if (responseBody.trim() === '') {
    return errorAnswer({
      status: 409,
      code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
      detail: 'You must provide a value for the attribute responseBody.',
      source: { pointer },
    })
  }
  if (responseBody.length > BODY_CHARS_MAX) {
    return errorAnswer({
      status: 409,
      code: 'ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG',
      detail: `The field 'responseBody' cannot exceed ${BODY_CHARS_MAX} characters.`,
      source: { pointer },
    })
  }
  const wanted = relationships.review.data.id
  const shown = findReview(world, wanted, reaches)
  if (shown === null) {
    return errorAnswer({
      status: 409,
      code: 'ENTITY_ERROR.RELATIONSHIP.INVALID',
      detail: `customerReview with id ${wanted} cannot be found`,
      source: { pointer: '/data/relationships/review' },
    })
  }
  const key = { store: 'apple', appId: shown.appId, reviewId: shown.publicId } as const
  const id = world.official.reply(key)?.id ?? randomUUID()
  world.official.setReply(key, { id, text: responseBody, writtenAt: at })
  const written = responseOf(world, shown, at)
  return json(201, {
    data: written === null ? null : resourceOfResponse(written),
    links: { self: `https://api.appstoreconnect.apple.com/v1/customerReviewResponses/${id}` },
  })
}

/** `DELETE /v1/customerReviewResponses/{id}`. */
export function deleteResponse(
  world: World,
  id: string,
  reaches: (appId: string) => boolean,
): SimulatedAnswer {
  const found = world.official.replyById(id)
  if (found === null || found.store !== 'apple' || !reaches(found.appId)) {
    return errorAnswer(notFound('customerReviewResponses', id))
  }
  world.official.setReply(found, null)
  return { status: 204, headers: {}, body: '' }
}

/** The review that has the answer with this id. */
export function findAnswered(
  world: World,
  id: string,
  reaches: (appId: string) => boolean,
): ShownReview | null {
  const found = world.official.replyById(id)
  if (found === null || found.store !== 'apple' || !reaches(found.appId)) return null
  return shownReviews(world, found.appId, null).find(({ publicId }) => publicId === found.reviewId) ?? null
}

/** The review with this id among the apps that the key reaches. */
export function findReview(
  world: World,
  id: string,
  reaches: (appId: string) => boolean,
): ShownReview | null {
  for (const { appId } of world.apps('apple')) {
    const found = reaches(appId)
      ? shownReviews(world, appId, null).find((shown) => shown.id === id)
      : undefined
    if (found !== undefined) return found
  }
  return null
}
