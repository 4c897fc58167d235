import type { Storefront } from '../../../model/vocabulary.ts'
import type { RatingAnswer } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { LOOKUP_IDS_MAX, type LookedUp, lookUp } from './lookup.ts'
import { failed, type RequestContext, type RequestDeps } from './request.ts'

/** The most lookups of one call when Apple rejects ids: enough to find two among 200. */
const LOOKUPS_MAX = 20

/**
 * One answer per app id, all from one lookup. When Apple rejects one of the ids, the batch is halved until that id is
 * alone, so that the others get answers. After 20 lookups the rest is `unknown` until the next poll.
 */
export async function ratings(
  deps: RequestDeps,
  query: { readonly appIds: readonly string[]; readonly storefront: Storefront },
  context: RequestContext,
): Promise<ReadonlyMap<string, RatingAnswer>> {
  const answers = new Map<string, RatingAnswer>()
  const appIds = [...new Set(query.appIds)]
  if (appIds.length > LOOKUP_IDS_MAX)
    throw new RangeError(`A lookup has at most ${LOOKUP_IDS_MAX} ids, not ${appIds.length}`)
  for (const appId of appIds) if (!isAppleAppId(appId)) answers.set(appId, noSuchApp('lookup', appId))

  const batches = [appIds.filter(isAppleAppId)]
  for (let lookups = 0; batches.length > 0; lookups += 1) {
    const batch = batches.shift() ?? []
    if (batch.length === 0) continue
    if (lookups >= LOOKUPS_MAX) {
      fill(answers, batch, failed('unknown', 'lookup', 'Apple rejects some ids of the same lookup.').failure)
      continue
    }
    const answer = await lookUp(deps, { appIds: batch, storefront: query.storefront }, context)
    if (answer.kind === 'apps') {
      for (const appId of batch)
        answers.set(appId, ratingAnswer(answer.apps.get(appId), appId, query.storefront))
    } else if (answer.kind === 'rejected') {
      const half = Math.ceil(batch.length / 2)
      if (batch.length > 1) batches.unshift(batch.slice(0, half), batch.slice(half))
      else fill(answers, batch, failed('gone', 'lookup', `Apple rejects this id: ${answer.detail}`).failure)
    } else {
      // Stop after a block or a failed request.
      fill(answers, [batch, ...batches].flat(), answer.failure)
      break
    }
  }
  return answers
}

function ratingAnswer(found: LookedUp | undefined, appId: string, storefront: string): RatingAnswer {
  if (found === undefined) {
    return failed('gone', 'lookup', `The App Store of ${storefront} has no app ${appId}.`).failure
  }
  const { app, rating } = found
  if (rating.kind === 'rated') return { kind: 'ok', source: 'lookup', rating: rating.rating, app }
  if (rating.kind === 'failed') return rating.failure
  return { kind: 'empty', source: 'lookup', app }
}

function fill(answers: Map<string, RatingAnswer>, appIds: readonly string[], answer: RatingAnswer): void {
  for (const appId of appIds) answers.set(appId, answer)
}
