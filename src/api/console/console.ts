import type { FastifyInstance } from 'fastify'
import { addRoutes } from '../add-routes.ts'
import type { RecordedOperations } from '../record-call.ts'
import type { Route } from '../route.ts'
import { type AppRouteDeps, appRoutes } from './app-routes.ts'
import { type AuthRouteDeps, authRoutes } from './auth-routes.ts'
import { type DemoDeps, demoRoutes } from './demo-routes.ts'
import { type DestinationDeps, destinationRoutes } from './destination-routes.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { type OverviewDeps, overviewRoutes } from './overview-routes.ts'
import { mountPages } from './pages.ts'
import { type PasskeyRouteDeps, passkeyRoutes } from './passkey-routes.ts'
import { type PeopleRouteDeps, peopleRoutes } from './people-routes.ts'
import { type ReviewSearchDeps, reviewSearchRoutes } from './review-search-routes.ts'
import { type SecondFactorRouteDeps, secondFactorRoutes } from './second-factor-routes.ts'
import { type SessionGroupDeps, sessionGroup } from './session-group.ts'
import { type SessionDeps, sessionRoutes } from './session-routes.ts'
import { type SingleSignOnRouteDeps, singleSignOnRoutes } from './single-sign-on-routes.ts'
import { type StatusRouteDeps, statusRoutes } from './status-routes.ts'
import { type StreamDeps, streamRoutes } from './stream-routes.ts'
import { type SystemDeps, systemRoutes } from './system-routes.ts'
import { type TokenRouteDeps, tokenRoutes } from './token-routes.ts'
import { type UserSessionRouteDeps, userSessionRoutes } from './user-session-routes.ts'
import { type ViewRouteDeps, viewRoutes } from './view-routes.ts'
import { type WatchRouteDeps, watchRoutes } from './watch-routes.ts'

export type ConsoleDeps = SessionGroupDeps &
  SessionDeps &
  AuthRouteDeps &
  OverviewDeps &
  AppRouteDeps &
  DestinationDeps &
  ViewRouteDeps &
  WatchRouteDeps &
  TokenRouteDeps &
  PeopleRouteDeps &
  UserSessionRouteDeps &
  SecondFactorRouteDeps &
  SingleSignOnRouteDeps &
  PasskeyRouteDeps &
  StatusRouteDeps &
  ReviewSearchDeps &
  SystemDeps &
  StreamDeps &
  DemoDeps & {
    readonly operations: RecordedOperations
    /** The built console. */
    readonly pagesFolder: string
  }

/** All routes of the console's API. */
export function consoleRoutes(deps: ConsoleDeps): Route[] {
  return [
    ...sessionRoutes(deps),
    ...authRoutes(deps),
    ...overviewRoutes(deps),
    ...appRoutes(deps),
    ...destinationRoutes(deps),
    ...inboxRoutes(deps),
    ...viewRoutes(deps),
    ...watchRoutes(deps),
    ...tokenRoutes(deps),
    ...peopleRoutes(deps),
    ...userSessionRoutes(deps),
    ...secondFactorRoutes(deps),
    ...singleSignOnRoutes(deps),
    ...passkeyRoutes(deps),
    ...statusRoutes(deps),
    ...reviewSearchRoutes(deps),
    ...systemRoutes(deps),
    ...streamRoutes(deps),
    ...demoRoutes(deps),
  ]
}

export async function mountConsole(server: FastifyInstance, deps: ConsoleDeps): Promise<void> {
  addRoutes(server, sessionGroup(deps), consoleRoutes(deps), deps.operations)
  await mountPages(server, deps.pagesFolder, deps.publicUrl)
}
