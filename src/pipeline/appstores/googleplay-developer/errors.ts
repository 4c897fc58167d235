import { failed, quoted } from '../official/failure.ts'
import { type Answered, changedAnswer, jsonOf, retryAfterOf } from '../official/send.ts'
import type { OfficialFailure } from '../official.ts'
import { recordOf } from '../parsed.ts'
import { API, STORAGE } from './deps.ts'

export type About =
  | { readonly kind: 'app'; readonly id: string }
  | { readonly kind: 'review'; readonly id: string; readonly appId: string }
  | { readonly kind: 'bucket'; readonly id: string }

/** Google's `{error: {…}}` (AIP-193, and the older list of errors). */
type GoogleError = {
  readonly message: string
  readonly reasons: readonly string[]
}

/** Without `Retry-After`: the limit per hour and app refills slowly. */
const QUOTA_WAIT_MS = 10 * 60_000

/** Codes of a quota. Before 2023 a quota came as 403. */
const QUOTA_REASONS = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
]
const DISABLED_REASONS = ['accessNotConfigured', 'SERVICE_DISABLED']

type WithStatus = { readonly status: number }

/** The meaning of a status from 400 to 499. `clockProblem`: a sentence when a wrong clock explains it. */
export function failureOf(
  answer: Answered,
  about: About,
  clientEmail: string,
  clockProblem: string | null,
): OfficialFailure {
  const { status } = answer
  const error = errorOf(answer)
  const withStatus = { status }
  const has = (reasons: readonly string[]) => error.reasons.some((reason) => reasons.includes(reason))
  if (status === 429 || (status === 403 && has(QUOTA_REASONS))) {
    return failed(
      'rate_limited',
      `${API} rate-limited the request: the quota of this app or project is used up.`,
      {
        ...withStatus,
        retryAfterMs: retryAfterOf(answer.headers) ?? QUOTA_WAIT_MS,
      },
    )
  }
  if (status === 403 && has(DISABLED_REASONS)) {
    return failed(
      'api_disabled',
      'The Google Play Android Developer API is not enabled in the Google Cloud project of this service account. Enable it there (APIs & Services → Library), then try again after some minutes.',
      { ...withStatus, field: 'service_account' },
    )
  }
  // A missing permission also comes as 401.
  if (status === 403 || (status === 401 && has(['permissionDenied', 'forbidden']))) {
    return forbidden(about, clientEmail, withStatus)
  }
  switch (status) {
    case 401:
      return clockProblem === null
        ? failed('unauthorized', `Google rejected the access token of ${clientEmail}.`, {
            ...withStatus,
            field: 'service_account',
          })
        : failed('clock_skew', `Google rejected the access token. ${clockProblem}`, withStatus)
    case 404:
      return notFound(about, withStatus)
    case 400:
    case 409:
    case 422:
      if (error.message === '') break
      return failed('rejected', `${API} refused the request: ${quoted(error.message)}`, withStatus)
  }
  return changedAnswer(about.kind === 'bucket' ? STORAGE : API, `it has status ${status}`, answer)
}

function forbidden(about: About, clientEmail: string, withStatus: WithStatus): OfficialFailure {
  if (about.kind === 'bucket') {
    return failed(
      'forbidden',
      `${clientEmail} may not read the bucket ${about.id}. Grant it "View app information and download bulk reports (read-only)" for the whole account in the Play Console → Users and permissions; it can take a day.`,
      { ...withStatus, field: 'reports_bucket' },
    )
  }
  const appId = about.kind === 'app' ? about.id : about.appId
  return failed(
    'forbidden',
    `Google Play does not let ${clientEmail} read the reviews of ${appId}. Invite it in the Play Console → Users and permissions with "Reply to reviews" for this app, and check the package name. A new permission can take a day.`,
    { ...withStatus, field: 'app_id' },
  )
}

function notFound(about: About, withStatus: WithStatus): OfficialFailure {
  switch (about.kind) {
    case 'bucket':
      return failed(
        'bucket_not_found',
        `There is no bucket ${about.id}. Copy its URI in the Play Console → Download reports → Reviews: it looks like gs://pubsite_prod_rev_0123456789.`,
        { ...withStatus, field: 'reports_bucket' },
      )
    case 'app':
      return failed('app_not_found', `${API} has no app with the package name ${about.id}.`, {
        ...withStatus,
        field: 'app_id',
      })
    case 'review':
      return failed(
        'review_not_found',
        `${API} no longer has the review ${about.id} of ${about.appId}.`,
        withStatus,
      )
  }
}

function errorOf(answer: Answered): GoogleError {
  const error = recordOf(recordOf(jsonOf(answer))?.error)
  const message = typeof error?.message === 'string' ? error.message : ''
  const entries = [error?.errors, error?.details].flatMap((list) => (Array.isArray(list) ? list : []))
  const reasons = entries.flatMap((entry: unknown) => {
    const reason = recordOf(entry)?.reason
    return typeof reason === 'string' ? [reason] : []
  })
  return { message, reasons }
}
