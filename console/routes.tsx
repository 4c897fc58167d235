import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { RouteFailed, UnknownPage } from './components/RouteStates.tsx'
import { Shell } from './components/Shell.tsx'
import { invitationsQuery, membersQuery, systemQuery, tokensQuery } from './data/account.ts'
import { appQuery, appsQuery, daysOf } from './data/apps.ts'
import { auditQuery } from './data/audit.ts'
import { compareSearch } from './data/compare-address.ts'
import {
  deadCountQuery,
  deadLettersQuery,
  deliveriesQuery,
  deliveryQuery,
  replaysQuery,
} from './data/deliveries.ts'
import { destinationQuery, destinationsQuery } from './data/destinations.ts'
import { inboxQuery } from './data/inbox.ts'
import { overviewQuery, rangeOf } from './data/overview.ts'
import { toAnswerCountQuery, toAnswerQuery } from './data/replies.ts'
import { reviewQuery, reviewsQuery } from './data/reviews.ts'
import {
  accountSearch,
  appSearch,
  appsSearch,
  auditSearch,
  deadSearch,
  deliverySearch,
  destinationSearch,
  overviewSearch,
  parseSearch,
  reviewFeedSearch,
  reviewSearch,
  signInSearch,
  stringifySearch,
  toAnswerSearch,
} from './data/search.ts'
import { sessionQuery } from './data/session.ts'
import { statusQuery } from './data/status.ts'
import { storesQuery } from './data/stores.ts'
import { Overview } from './pages/Overview.tsx'
import { LoadingPage } from './ui/States.tsx'
import { basePath } from './util/base-path.ts'

/**
 * Every URL of the console: its page, search parameters and queries. Loaders start the queries while the page's script
 * loads, without waiting for them: each page shows its own loading and error state.
 */

type Context = { readonly queryClient: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: Outlet })

const signedOut = createRoute({ getParentRoute: () => root, id: 'signed-out', component: Outlet })

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.setupNeeded) throw redirect({ to: '/setup' })
    if (session.user === null) throw redirect({ to: '/sign-in', search: { next: location.href } })
    if (session.account === null) throw redirect({ to: '/choose-account', search: { next: location.href } })
    if (session.secondFactorNeeded) throw redirect({ to: '/second-factor' })
  },
})

/** Matches every other URL. */
const UNKNOWN_PATH = '$'

const tree = root.addChildren([
  signedOut.addChildren([
    createRoute({
      getParentRoute: () => signedOut,
      path: '/setup',
      beforeLoad: async ({ context }) => {
        const session = await context.queryClient.ensureQueryData(sessionQuery)
        if (!session.setupNeeded) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/Setup.tsx'), 'Setup'),
    }),
    createRoute({
      getParentRoute: () => signedOut,
      path: '/sign-in',
      validateSearch: signInSearch,
      component: lazyRouteComponent(() => import('./pages/SignIn.tsx'), 'SignIn'),
    }),
    createRoute({
      getParentRoute: () => signedOut,
      path: '/choose-account',
      validateSearch: signInSearch,
      beforeLoad: async ({ context }) => {
        const session = await context.queryClient.ensureQueryData(sessionQuery)
        if (session.accounts.length < 2) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/ChooseAccount.tsx'), 'ChooseAccount'),
    }),
    createRoute({
      getParentRoute: () => signedOut,
      path: '/second-factor',
      beforeLoad: async ({ context }) => {
        const session = await context.queryClient.ensureQueryData(sessionQuery)
        if (!session.secondFactorNeeded) throw redirect({ to: '/' })
      },
      component: lazyRouteComponent(() => import('./pages/SecondFactor.tsx'), 'SecondFactor'),
    }),
    createRoute({
      getParentRoute: () => signedOut,
      path: '/accept/$token',
      component: lazyRouteComponent(() => import('./pages/AcceptInvitation.tsx'), 'AcceptInvitation'),
    }),
    createRoute({
      getParentRoute: () => signedOut,
      path: '/reset-password/$token',
      component: lazyRouteComponent(() => import('./pages/ResetPassword.tsx'), 'ResetPassword'),
    }),
  ]),
  signedIn.addChildren([
    createRoute({
      getParentRoute: () => signedIn,
      path: '/',
      validateSearch: overviewSearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, deps }) => {
        void queryClient.prefetchQuery(overviewQuery(rangeOf(deps)))
      },
      // Not lazy: most visits begin here, and its script is small.
      component: Overview,
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/getting-started',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(overviewQuery('24h'))
        void queryClient.prefetchQuery(destinationsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/GettingStarted.tsx'), 'GettingStarted'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/apps',
      validateSearch: appsSearch,
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Apps.tsx'), 'Apps'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/apps/add',
      component: lazyRouteComponent(() => import('./pages/AddApp.tsx'), 'AddApp'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/apps/$store/$appId',
      validateSearch: appSearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, params, deps }) => {
        void queryClient.prefetchQuery(appQuery(params.store, params.appId, daysOf(deps)))
      },
      component: lazyRouteComponent(() => import('./pages/App.tsx'), 'App'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/apps/$store/$appId/$section',
      validateSearch: appSearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, params, deps }) => {
        void queryClient.prefetchQuery(appQuery(params.store, params.appId, daysOf(deps)))
      },
      component: lazyRouteComponent(() => import('./pages/App.tsx'), 'App'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/reviews',
      validateSearch: reviewFeedSearch,
      loaderDeps: ({ search: { review, ...filters } }) => ({ filters, review }),
      loader: ({ context: { queryClient }, deps: { filters, review } }) => {
        void queryClient.prefetchInfiniteQuery(reviewsQuery(filters))
        if (review !== undefined) void queryClient.prefetchQuery(reviewQuery(review))
      },
      component: lazyRouteComponent(() => import('./pages/Reviews.tsx'), 'Reviews'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/reviews/$fingerprint',
      loader: ({ context: { queryClient }, params }) => {
        void queryClient.prefetchQuery(reviewQuery(params.fingerprint))
      },
      component: lazyRouteComponent(() => import('./pages/Review.tsx'), 'Review'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/to-answer',
      validateSearch: toAnswerSearch,
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(toAnswerQuery)
        void queryClient.prefetchQuery(toAnswerCountQuery)
      },
      component: lazyRouteComponent(() => import('./pages/ToAnswer.tsx'), 'ToAnswer'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/compare',
      validateSearch: compareSearch,
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Compare.tsx'), 'Compare'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/inbox',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(inboxQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Inbox.tsx'), 'Inbox'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations',
      validateSearch: destinationSearch,
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(destinationsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Destinations.tsx'), 'Destinations'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations/new',
      validateSearch: reviewSearch,
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/NewDestination.tsx'), 'NewDestination'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations/$id',
      loader: ({ context: { queryClient }, params }) => {
        void queryClient.prefetchQuery(destinationQuery(params.id))
      },
      component: lazyRouteComponent(() => import('./pages/Destination.tsx'), 'Destination'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/deliveries',
      validateSearch: deliverySearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, deps }) => {
        void queryClient.prefetchInfiniteQuery(deliveriesQuery(deps))
        void queryClient.prefetchQuery(destinationsQuery)
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Deliveries.tsx'), 'Deliveries'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/deliveries/$eventId',
      loader: ({ context: { queryClient }, params }) => {
        void queryClient.prefetchQuery(deliveryQuery(params.eventId))
      },
      component: lazyRouteComponent(() => import('./pages/Delivery.tsx'), 'Delivery'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/dead-letters',
      validateSearch: deadSearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, deps }) => {
        void queryClient.prefetchInfiniteQuery(deadLettersQuery(deps))
        void queryClient.prefetchQuery(deadCountQuery(deps))
        void queryClient.prefetchQuery(replaysQuery)
        void queryClient.prefetchQuery(destinationsQuery)
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/DeadLetters.tsx'), 'DeadLetters'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/stores',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(storesQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Stores.tsx'), 'Stores'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/account',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(membersQuery)
        void queryClient.prefetchQuery(invitationsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Account.tsx'), 'Account'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/account/$section',
      validateSearch: accountSearch,
      component: lazyRouteComponent(() => import('./pages/Account.tsx'), 'Account'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/audit-log',
      validateSearch: auditSearch,
      loaderDeps: ({ search }) => search,
      loader: ({ context: { queryClient }, deps }) => {
        void queryClient.prefetchInfiniteQuery(auditQuery(deps))
        void queryClient.prefetchQuery(membersQuery)
        void queryClient.prefetchQuery(tokensQuery)
        void queryClient.prefetchQuery(destinationsQuery)
        void queryClient.prefetchQuery(appsQuery)
      },
      component: lazyRouteComponent(() => import('./pages/AuditLog.tsx'), 'AuditLog'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/status',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(statusQuery)
      },
      component: lazyRouteComponent(() => import('./pages/Status.tsx'), 'Status'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/system',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(systemQuery)
      },
      component: lazyRouteComponent(() => import('./pages/System.tsx'), 'System'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/system/$section',
      loader: ({ context: { queryClient } }) => {
        void queryClient.prefetchQuery(systemQuery)
      },
      component: lazyRouteComponent(() => import('./pages/System.tsx'), 'System'),
    }),
    createRoute({ getParentRoute: () => signedIn, path: UNKNOWN_PATH, component: UnknownPage }),
  ]),
])

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: basePath === '' ? '/' : basePath,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // The queries decide whether their data is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: RouteFailed,
    defaultNotFoundComponent: UnknownPage,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
