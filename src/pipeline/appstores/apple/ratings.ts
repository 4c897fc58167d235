import type { Storefront } from '../../../model/vocabulary.ts'
import type { RatingAnswer } from '../appstore.ts'
import { isAppleAppId, noSuchApp } from './app-id.ts'
import { type AskDeps, failed, type Turn } from './ask.ts'
import { LOOKUP_IDS_MAX, type LookedUp, lookUp } from './lookup.ts'

/** Lookups that one call makes at most when Apple refuses ids of ours: enough to find two among 200. */
const LOOKUPS_MAX = 20

/**
 * One answer per app id, all out of one lookup. Should Apple refuse one of the ids, the batch is halved until that id
 * stands alone, so that it costs the others nothing; after 20 lookups the rest stays `unknown` until the next poll.
 */
export async function ratings(
  deps: AskDeps,
  query: { readonly appIds: readonly string[]; readonly storefront: Storefront },
  turn: Turn,
): Promise<ReadonlyMap<string, RatingAnswer>> {
  const answers = new Map<string, RatingAnswer>()
  const asked = [...new Set(query.appIds)]
  if (asked.length > LOOKUP_IDS_MAX)
    throw new RangeError(`A lookup carries ${LOOKUP_IDS_MAX} ids, not ${asked.length}`)
  for (const appId of asked) if (!isAppleAppId(appId)) answers.set(appId, noSuchApp('lookup', appId))

  const batches = [asked.filter(isAppleAppId)]
  for (let lookups = 0; batches.length > 0; lookups += 1) {
    const batch = batches.shift() ?? []
    if (batch.length === 0) continue
    if (lookups >= LOOKUPS_MAX) {
      fill(
        answers,
        batch,
        failed('unknown', 'lookup', 'Apple refuses some of the ids asked for with it.').trouble,
      )
      continue
    }
    const answer = await lookUp(deps, { appIds: batch, storefront: query.storefront }, turn)
    if (answer.kind === 'apps') {
      for (const appId of batch)
        answers.set(appId, ratingAnswer(answer.apps.get(appId), appId, query.storefront))
    } else if (answer.kind === 'refused') {
      const half = Math.ceil(batch.length / 2)
      if (batch.length > 1) batches.unshift(batch.slice(0, half), batch.slice(half))
      else fill(answers, batch, failed('gone', 'lookup', `Apple refuses this id: ${answer.detail}`).trouble)
    } else {
      // A source that blocks us, or does not answer, is not asked again for the other halves.
      fill(answers, [batch, ...batches].flat(), answer.trouble)
      break
    }
  }
  return answers
}

function ratingAnswer(found: LookedUp | undefined, appId: string, storefront: string): RatingAnswer {
  if (found === undefined) {
    return failed('gone', 'lookup', `The App Store of ${storefront} has no app ${appId}.`).trouble
  }
  const { app, rating } = found
  if (rating.kind === 'rated') return { kind: 'ok', source: 'lookup', rating: rating.rating, app }
  if (rating.kind === 'failed') return rating.trouble
  // Apple tells 0 of 0 of an app that nobody has rated as well as of one whose rating it does not know just now.
  return failed(
    'unknown',
    'lookup',
    'Apple tells 0 stars of 0 ratings, which may mean that it does not know.',
  ).trouble
}

function fill(answers: Map<string, RatingAnswer>, appIds: readonly string[], answer: RatingAnswer): void {
  for (const appId of appIds) answers.set(appId, answer)
}
