import type { SourcePageAnswer, StoreFailure } from '../appstore.ts'
import type { OfficialContext, OfficialFailure, OfficialStore, StoreCredentials } from '../official.ts'
import { type SourceCheck, type SourceVerdict, verdict, verdictOfReviews } from '../source-check.ts'

/** What the official API has of an app, requested once with these credentials: its reviews, and Google's reports. */
export function officialSourceChecks(
  store: OfficialStore,
  credentials: StoreCredentials,
  appId: string,
): SourceCheck[] {
  const query = { credentials, appId, cursor: null }
  const reviews: SourceCheck = {
    source: store.kind,
    serves: 'reviews',
    ask: async (pace, signal) => {
      const page = await store.reviewsPage(query, { pace, signal })
      return page.kind === 'failed' ? verdictOfFailure(page) : verdictOfOfficial(page)
    },
  }
  const hasReports = credentials.kind === 'googleplay-developer' && credentials.reportsBucket !== null
  return hasReports ? [reviews, reportsCheck(store, query)] : [reviews]
}

function reportsCheck(store: OfficialStore, query: Parameters<OfficialStore['history']>[0]): SourceCheck {
  return {
    source: 'reports',
    serves: 'reviews',
    ask: async (pace, signal) => {
      const context: OfficialContext = { pace, signal }
      const page = await store.history(query, context)
      return page.kind === 'failed'
        ? verdictOfFailure(page)
        : verdictOfOfficial({ ...page, source: 'reports', next: null })
    },
  }
}

const KINDS: Partial<Readonly<Record<OfficialFailure['reason'], StoreFailure['kind']>>> = {
  rate_limited: 'blocked',
  app_not_found: 'gone',
  bucket_not_found: 'gone',
  changed: 'changed',
}

/** Their ids differ from those of public pages, so they are not compared with these. */
function verdictOfOfficial(page: SourcePageAnswer): SourceVerdict {
  return { ...verdictOfReviews(page), asked: null }
}

function verdictOfFailure({ reason, detail }: OfficialFailure): SourceVerdict {
  return verdict(KINDS[reason] ?? 'unknown', detail)
}
