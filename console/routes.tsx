import { Container } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import { Shell } from './components/Shell.tsx'
import { sessionQuery } from './data/session.ts'
import { Empty, Failed, LoadingPage } from './ui/States.tsx'
import { paths } from './util/paths.ts'

/** The table of contents: every address of the console, and which page answers it. */

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet })

const open = createRoute({ getParentRoute: () => root, id: 'open', component: Outlet })

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery)
    if (session.setupNeeded) throw redirect({ to: paths.setup() })
    if (session.user === null) throw redirect({ to: paths.signIn(), search: { next: location.href } })
  },
})

const tree = root.addChildren([
  open.addChildren([
    createRoute({
      getParentRoute: () => open,
      path: '/setup',
      beforeLoad: async ({ context }) => {
        const session = await context.queryClient.ensureQueryData(sessionQuery)
        if (!session.setupNeeded) throw redirect({ to: paths.overview() })
      },
      component: lazyRouteComponent(() => import('./pages/Setup.tsx'), 'Setup'),
    }),
    createRoute({
      getParentRoute: () => open,
      path: '/sign-in',
      component: lazyRouteComponent(() => import('./pages/SignIn.tsx'), 'SignIn'),
    }),
    createRoute({
      getParentRoute: () => open,
      path: '/accept/$token',
      component: lazyRouteComponent(() => import('./pages/AcceptInvitation.tsx'), 'AcceptInvitation'),
    }),
  ]),
  signedIn.addChildren([
    createRoute({
      getParentRoute: () => signedIn,
      path: '/',
      component: lazyRouteComponent(() => import('./pages/Overview.tsx'), 'Overview'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/getting-started',
      component: lazyRouteComponent(() => import('./pages/GettingStarted.tsx'), 'GettingStarted'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/apps',
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
      component: lazyRouteComponent(() => import('./pages/App.tsx'), 'App'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/reviews',
      component: lazyRouteComponent(() => import('./pages/Reviews.tsx'), 'Reviews'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/reviews/$fingerprint',
      component: lazyRouteComponent(() => import('./pages/Review.tsx'), 'Review'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations',
      component: lazyRouteComponent(() => import('./pages/Destinations.tsx'), 'Destinations'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations/new',
      component: lazyRouteComponent(() => import('./pages/NewDestination.tsx'), 'NewDestination'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/destinations/$id',
      component: lazyRouteComponent(() => import('./pages/Destination.tsx'), 'Destination'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/deliveries',
      component: lazyRouteComponent(() => import('./pages/Deliveries.tsx'), 'Deliveries'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/deliveries/$eventId',
      component: lazyRouteComponent(() => import('./pages/Delivery.tsx'), 'Delivery'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/dead-letters',
      component: lazyRouteComponent(() => import('./pages/DeadLetters.tsx'), 'DeadLetters'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/account',
      component: lazyRouteComponent(() => import('./pages/Account.tsx'), 'Account'),
    }),
    createRoute({
      getParentRoute: () => signedIn,
      path: '/system',
      component: lazyRouteComponent(() => import('./pages/System.tsx'), 'System'),
    }),
  ]),
])

export function createConsoleRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultPendingComponent: LoadingPage,
    defaultErrorComponent: PageFailed,
    defaultNotFoundComponent: () => (
      <Empty title="There is no such page">The address may be mistyped, or what it showed was removed.</Empty>
    ),
  })
}

/** A page that could not be made: what its route asks first failed, or the page itself threw. */
function PageFailed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
    </Container>
  )
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
