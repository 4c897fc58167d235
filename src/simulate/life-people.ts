import { marketOf } from '../model/market.ts'
import { STOREFRONTS, type Store, type Storefront } from '../model/vocabulary.ts'
import { type LifeApp, PEOPLE } from './life-apps.ts'
import type { Random } from './life-random.ts'
import { createWriter, LANGUAGE_WRITTEN, type LifeLanguage } from './life-texts.ts'
import { createReviewIds } from './review-ids.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long before the start the back catalogue ends, and its length. */
const BACK_ENDS_MS = 60 * 60 * 1000
const BACK_SPAN_MS = 400 * DAY_MS
/** Edits change only the latest of these reviews. */
const EDITABLE_MAX = 50

/** The people who write and edit reviews in `world`. */
export type People = ReturnType<typeof createPeople>

export function createPeople(world: World, random: Random) {
  const writer = createWriter(random)
  const nextId = createReviewIds(random.next)
  const editable: { app: LifeApp; store: Store; market: string; reviewId: string; language: LifeLanguage }[] =
    []

  function write(app: LifeApp, store: Store, storefront: Storefront, publishedAt: Date) {
    const language = LANGUAGE_WRITTEN[storefront]
    const market = marketOf(store, 'reviews', storefront)
    const text = writer.text(app.name, language)
    const reviewId = nextId(store, publishedAt)
    world.addReview(
      { store, appId: app.appIds[store], market },
      {
        id: reviewId,
        rating: text.stars,
        // Play's reviews have no title.
        title: store === 'google' ? null : (text.title ?? text.body.slice(0, 30)),
        body: text.body,
        author: writer.author(language),
        version: store === 'google' && random.next() < 0.2 ? null : random.pick(app.versions),
        publishedAt,
      },
    )
    editable.push({ app, store, market, reviewId, language })
    if (editable.length > EDITABLE_MAX) editable.shift()
  }

  return {
    write,
    fillBack: (app: LifeApp, store: Store, nowMs: number) => {
      const ages = Array.from({ length: app.backCatalogue }, () => random.between(BACK_ENDS_MS, BACK_SPAN_MS))
      for (const age of ages.sort((a, b) => b - a))
        write(app, store, anyStorefront(random), new Date(nowMs - age))
    },
    edit: (at: Date) => {
      const { app, store, market, reviewId, language } = random.pick(editable)
      const { stars, title, body } = writer.text(app.name, language)
      const change = {
        rating: stars,
        body,
        ...(store === 'google' ? {} : { title: title ?? body.slice(0, 30) }),
      }
      world.editReview({ store, appId: app.appIds[store], market, reviewId }, change, at)
    },
  }
}

export function anyStorefront(random: Random): Storefront {
  return random.pickWeighted(STOREFRONTS, (storefront) => PEOPLE[storefront])
}
