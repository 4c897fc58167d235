import type { FastifyInstance } from 'fastify'
import { addConsoleRoutes, type GateDeps } from './add-console-routes.ts'
import { type AppDeps, appRoutes } from './app-routes.ts'
import { type DeadDeps, deadRoutes } from './dead-routes.ts'
import { type DeliveryDeps, deliveryRoutes } from './delivery-routes.ts'
import { type DemoDeps, demoRoutes } from './demo-routes.ts'
import { type DestinationDeps, destinationRoutes } from './destination-routes.ts'
import { type OverviewDeps, overviewRoutes } from './overview-routes.ts'
import { mountPages } from './pages.ts'
import { type PeopleDeps, peopleRoutes } from './people-routes.ts'
import { type ReviewDeps, reviewRoutes } from './review-routes.ts'
import type { ConsoleRoute } from './route.ts'
import { type SessionDeps, sessionRoutes } from './session-routes.ts'
import { type StreamDeps, streamRoutes } from './stream-routes.ts'
import { type SystemDeps, systemRoutes } from './system-routes.ts'
import { type TokenDeps, tokenRoutes } from './token-routes.ts'

export type ConsoleDeps = GateDeps &
  SessionDeps &
  OverviewDeps &
  AppDeps &
  ReviewDeps &
  DestinationDeps &
  DeliveryDeps &
  DeadDeps &
  TokenDeps &
  PeopleDeps &
  SystemDeps &
  StreamDeps &
  DemoDeps & {
    /** Where the console was built to. */
    readonly pagesFolder: string
  }

/** Everything the console asks for, area by area. */
export function consoleRoutes(deps: ConsoleDeps): ConsoleRoute[] {
  return [
    ...sessionRoutes(deps),
    ...overviewRoutes(deps),
    ...appRoutes(deps),
    ...reviewRoutes(deps),
    ...destinationRoutes(deps),
    ...deliveryRoutes(deps),
    ...deadRoutes(deps),
    ...tokenRoutes(deps),
    ...peopleRoutes(deps),
    ...systemRoutes(deps),
    ...streamRoutes(deps),
    ...demoRoutes(deps),
  ]
}

export async function mountConsole(server: FastifyInstance, deps: ConsoleDeps): Promise<void> {
  addConsoleRoutes(server, consoleRoutes(deps), deps)
  await mountPages(server, deps.pagesFolder)
}
