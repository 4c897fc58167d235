import type { SimulatedAnswer } from '../answer.ts'
import type { Fault } from '../fault.ts'
import { throughFault } from '../through-fault.ts'
import { shownAtOf, type World, type WorldReview } from '../world.ts'
import { html } from './reply.ts'
import type { Route } from './route.ts'

/** Number of reviews on the page. It shows the most helpful reviews, here the longest. */
const PAGE_REVIEWS = 10

/** The app's page with its data in a script; 404 for an app that is not in the storefront. */
export function pageAnswer(
  world: World,
  route: Extract<Route, { source: 'page' }>,
  fault: Fault | null,
): SimulatedAnswer {
  const { appId, storefront } = route
  const app = world.app({ store: 'apple', appId })
  if (app === null || fault?.kind === 'gone')
    return html(404, '<h1>The page you are looking for cannot be found.</h1>')
  const reviews = [...throughFault(world.reviews({ store: 'apple', appId, market: storefront }), fault)]
    .sort((a, b) => b.body.length - a.body.length)
    .slice(0, PAGE_REVIEWS)
  const rating = world.rating({ store: 'apple', appId, storefront })
  const data = [
    {
      intent: { $kind: 'ProductPageIntent', storefront, id: appId },
      data: {
        title: app.name,
        shelfMapping: {
          productRatings: {
            items: [ratingsNode(appId, rating?.average ?? '0', rating?.count ?? 0)],
          },
          allProductReviews: {
            items: reviews.map((review) => ({ $kind: 'ProductReview', review: reviewNode(review) })),
          },
        },
      },
    },
  ]
  const id = fault?.kind === 'changed' ? 'server-data' : 'serialized-server-data'
  const script = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html(200, `<h1>App Store Preview</h1><script type="application/json" id="${id}">${script}</script>`)
}

function ratingsNode(appId: string, average: string, count: number): Record<string, unknown> {
  const shares = [0.6, 0.2, 0.1, 0.04, 0.06]
  return {
    $kind: 'Ratings',
    productId: appId,
    ratingAverage: Math.round(Number(average) * 10) / 10,
    totalNumberOfRatings: count,
    context: 'productPage',
    ratingCounts: shares.map((share) => count * share),
  }
}

function reviewNode(review: WorldReview): Record<string, unknown> {
  return {
    $kind: 'Review',
    id: review.id,
    title: review.title ?? '',
    rating: review.rating,
    date: shownAtOf(review).toISOString(),
    dateText: review.editedAt === null ? '* null *' : 'edited * null *',
    contents: review.body,
    reviewerName: review.author ?? '',
  }
}
