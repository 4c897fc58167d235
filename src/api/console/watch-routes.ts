import type { WatchPreview } from '../../contract/console/destinations.ts'
import { watchBody } from '../../contract/hook.ts'
import { watchSetBody } from '../../contract/v1/watch-sets.ts'
import type { Operations } from '../../operations/operations.ts'
import type { ReviewRecord } from '../../operations/reviews/reviews.ts'
import { type Route, route } from '../route.ts'
import { watchInputOf } from '../v1/hooks.ts'
import { watchSetInputOf } from '../v1/watch-sets.ts'
import { sentenceOf, setSentenceOf } from './watch-view.ts'

export type WatchRouteDeps = { readonly operations: Pick<Operations, 'apps' | 'watches'> }

/** What a watch and a watch set would have matched. */
export function watchRoutes({ operations: { apps, watches } }: WatchRouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/watches/preview',
      viewersToo: true,
      body: watchBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const { watch, matched, examined, hits } = await watches.preview(accountId, watchInputOf(body))
        const sentence = sentenceOf(watch, await apps.storefronts(accountId))
        return {
          sentence,
          matched,
          looked: examined,
          apps: { counted: 1, total: 1 },
          hits: hits.map(presentHit),
        }
      },
    }),

    route({
      method: 'POST',
      path: '/watch-sets/preview',
      viewersToo: true,
      body: watchSetBody,
      async run({ caller: { accountId }, body }): Promise<WatchPreview> {
        const {
          set,
          matched,
          examined,
          apps: of,
          hits,
        } = await watches.previewSet(accountId, watchSetInputOf(body))
        const sentence = setSentenceOf(set, await apps.storefronts(accountId))
        return { sentence, matched, looked: examined, apps: of, hits: hits.map(presentHit) }
      },
    }),
  ]
}

/** The preview shows only the beginning of a review. */
const BODY_CHARS = 200

function presentHit({ fingerprint, rating, title, body }: ReviewRecord): WatchPreview['hits'][number] {
  return { fingerprint, rating, title, body: body.slice(0, BODY_CHARS) }
}
