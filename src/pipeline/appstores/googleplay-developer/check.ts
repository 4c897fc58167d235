import type {
  CredentialCheck,
  GooglePlayCredentials,
  OfficialContext,
  OfficialFailure,
  ReachedApp,
  Right,
} from '../official.ts'
import type { GooglePlayState } from './deps.ts'
import { notABucket } from './history.ts'
import { bucketOf, listReports } from './reports.ts'
import { reviewsPage } from './reviews.ts'
import { REVIEWS_SCOPE, tokenOf } from './token.ts'

/**
 * Reads one review of each app: Google has no list of apps, and needs the right to reply also for reading. Fails when no
 * app can be read. A bucket that cannot be read is only a warning.
 */
export async function checkCredentials(
  deps: GooglePlayState,
  query: { readonly credentials: GooglePlayCredentials; readonly appIds: readonly string[] },
  context: OfficialContext,
): Promise<CredentialCheck> {
  const { credentials, appIds } = query
  const token = await tokenOf(deps, credentials, REVIEWS_SCOPE, context)
  if (token.kind === 'failed') return token
  const apps: ReachedApp[] = []
  const unreachable: { appId: string; failure: OfficialFailure }[] = []
  for (const appId of new Set(appIds)) {
    const page = await reviewsPage(deps, { credentials, appId, cursor: null, reviewsMax: 1 }, context)
    if (page.kind === 'ok') apps.push({ store: 'google', appId, name: null, bundleId: null })
    else if (isOfTheApp(page)) unreachable.push({ appId, failure: page })
    else return page
  }
  const first = unreachable[0]?.failure
  if (apps.length === 0 && first !== undefined) return first
  const right: Right = apps.length > 0 ? 'granted' : 'unknown'
  const bucket = await checkBucket(deps, credentials, context)
  return {
    kind: 'ok',
    apps,
    unreachable,
    rights: { readReviews: right, reply: right, history: bucket.right },
    warnings: [
      ...(appIds.length === 0 ? ['Google Play cannot list apps: add the package names of your apps.'] : []),
      ...bucket.warnings,
    ],
    quota: null,
  }
}

/** Failures that another app of the same account need not have. */
function isOfTheApp({ reason }: OfficialFailure): boolean {
  return reason === 'forbidden' || reason === 'app_not_found'
}

async function checkBucket(
  deps: GooglePlayState,
  credentials: GooglePlayCredentials,
  context: OfficialContext,
): Promise<{ readonly right: Right; readonly warnings: readonly string[] }> {
  if (credentials.reportsBucket === null) return { right: 'denied', warnings: [] }
  const bucket = bucketOf(credentials.reportsBucket)
  if (bucket === null) return { right: 'denied', warnings: [notABucket().detail] }
  const listed = await listReports(deps, { credentials, bucket, appId: null, limit: 1 }, context)
  if (listed.kind === 'ok') return { right: 'granted', warnings: [] }
  return { right: listed.reason === 'forbidden' ? 'denied' : 'unknown', warnings: [listed.detail] }
}
