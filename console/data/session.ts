import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { type FirstLoad, firstRequestOf } from '../../src/contract/console/first-load.ts'
import type {
  SessionView,
  ShownInvitation,
  SignInView,
  SingleSignOnView,
} from '../../src/contract/console/people.ts'
import { belowBasePath } from '../../src/model/base-path.ts'
import { basePath } from '../util/base-path.ts'
import { overviewQuery } from './overview.ts'
import { changesAreOf, request } from './request.ts'
import { userChanged } from './user-change.ts'

/** The signed-in user, loaded once and after each sign-in and sign-out. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => shown(await request<SessionView>('GET', '/console/session', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Changes of these pages are those of its account. Loads them anew when they showed another one, which the session has left meanwhile. */
function shown(session: SessionView): SessionView {
  if (changesAreOf(session.account?.id ?? null)) window.location.assign(`${basePath}/`)
  return session
}

/** Tells the other tabs that the session, which all share, has entered another account. */
export const accountChanges = new BroadcastChannel('radar.account')

/** Loads `next` anew: nothing on the page belongs to the other account. */
export async function enterAccount(account: string, next = '/'): Promise<void> {
  await request('POST', '/console/session/account', { body: { account } })
  reload(next)
}

/** What the page of an invitation says. A link that is no longer valid stays so. */
export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      request<ShownInvitation>('POST', '/console/invitations/shown', { body: { token }, signal }),
    retry: false,
  })
}

/** The signed-in user accepts the invitation, and enters its account. */
export async function joinAccount(token: string): Promise<void> {
  await request('POST', '/console/invitations/join', { body: { token } })
  reload('/')
}

function reload(next: string): void {
  accountChanges.postMessage(null)
  window.location.assign(`${basePath}${next}`)
}

/** Takes the answer that the browser has preloaded with the document: the session and, for the overview, its figures. */
export function loadFirst(queryClient: QueryClient): Promise<void> {
  const page = belowBasePath(window.location.pathname + window.location.search, basePath)
  return queryClient.prefetchQuery({
    ...sessionQuery,
    async queryFn(): Promise<SessionView> {
      const { overview, ...session } = await request<FirstLoad>('GET', `/console${firstRequestOf(page)}`)
      if (overview) queryClient.setQueryData(overviewQuery('24h').queryKey, overview)
      return shown(session)
    },
  })
}

export function useSession(): SessionView {
  return useSuspenseQuery(sessionQuery).data
}

/** Drops the previous user's data after a sign-in. */
export async function signedIn(queryClient: QueryClient): Promise<void> {
  queryClient.clear()
  userChanged()
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Without `needsSecondFactor` the user is signed in. */
export async function signIn(email: string, password: string): Promise<SignInView> {
  return request<SignInView>('POST', '/console/auth/sign-in/email', {
    body: { email, password, rememberMe: true },
  })
}

/**
 * Opens the page of the identity provider, which sends the browser back to `next`. `invitation`: the token of the opened link. `connect`:
 * adds the provider to the signed-in user.
 */
export async function signInAtProvider(body: {
  readonly next: string
  readonly invitation?: string | undefined
  readonly connect?: boolean
}): Promise<void> {
  const { url } = await request<SingleSignOnView>('POST', '/console/sso', { body })
  window.location.assign(url)
}

export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await request('POST', '/console/auth/reset-password', { body: { token, newPassword } })
}

/** Signs out, and drops the user's data. */
export async function leave(queryClient: QueryClient): Promise<void> {
  await request('POST', '/console/auth/sign-out', { body: {} })
  await signedIn(queryClient)
}
