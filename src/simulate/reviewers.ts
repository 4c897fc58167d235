import { marketOf } from '../model/market.ts'
import { STOREFRONTS, type Store, type Storefront } from '../model/vocabulary.ts'
import type { Random } from './random.ts'
import { createReviewIds } from './review-ids.ts'
import { createWriter, LANGUAGE_OF_STOREFRONT, type ReviewText, type TextLanguage } from './review-texts.ts'
import { REVIEWER_WEIGHTS, type SimulatedApp, versionsInUse } from './simulated-apps.ts'
import type { World } from './world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The time between the newest old review and the start, and the age of the oldest. */
const OLD_REVIEWS_AGE_MS_MIN = 60 * 60 * 1000
const OLD_REVIEWS_DAYS = 400
/** Edits change only the latest reviews. */
const EDITABLE_MAX = 50

/** Reviews after a broken release. */
const COMPLAINTS: readonly ReviewText[] = [
  {
    stars: 1,
    title: 'Crashes on start',
    body: 'Since the update it crashes every time I open it. Please fix this.',
  },
  {
    stars: 1,
    title: 'Update broke it',
    body: 'The latest update broke the app: it closes as soon as I open a note.',
  },
  {
    stars: 1,
    title: 'Lost my notes',
    body: 'After the new version it crashed and all my notes from this week are gone.',
  },
  {
    stars: 2,
    title: 'Freezes now',
    body: 'It was great before. The new version freezes and then crashes when I search.',
  },
  {
    stars: 1,
    title: 'Cannot log in',
    body: 'Since this update I cannot log in any more, it just throws me out again.',
  },
]

/** Simulated people who write and edit reviews in `world`. */
export type Reviewers = ReturnType<typeof createReviewers>

/** `nowMs` is the time to which the ages of releases refer. */
export function createReviewers(world: World, random: Random, nowMs: number) {
  const writer = createWriter(random)
  const nextId = createReviewIds(random.next)
  const editable: {
    app: SimulatedApp
    store: Store
    market: string
    reviewId: string
    language: TextLanguage
  }[] = []

  function write(
    app: SimulatedApp,
    store: Store,
    storefront: Storefront,
    publishedAt: Date,
    complaint?: { readonly text: ReviewText; readonly version: string },
  ) {
    const language = LANGUAGE_OF_STOREFRONT[storefront]
    const market = marketOf(store, 'reviews', storefront)
    const text = complaint?.text ?? writer.text(app.name, language)
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
        version:
          complaint?.version ??
          (store === 'google' && random.next() < 0.2
            ? null
            : random.pick(versionsInUse(app, (nowMs - publishedAt.getTime()) / DAY_MS))),
        publishedAt,
      },
    )
    editable.push({ app, store, market, reviewId, language })
    if (editable.length > EDITABLE_MAX) editable.shift()
  }

  return {
    write,
    /** Writes an English review about a broken release. */
    complain: (app: SimulatedApp, store: Store, storefront: Storefront, version: string, at: Date) =>
      write(app, store, storefront, at, { text: random.pick(COMPLAINTS), version }),
    addOldReviews: (app: SimulatedApp, store: Store, days = OLD_REVIEWS_DAYS) => {
      const ages = Array.from({ length: app.oldReviews }, () =>
        random.between(OLD_REVIEWS_AGE_MS_MIN, days * DAY_MS),
      )
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
  return random.pickWeighted(STOREFRONTS, (storefront) => REVIEWER_WEIGHTS[storefront])
}
