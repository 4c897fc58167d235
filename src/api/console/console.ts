import type { FastifyInstance } from 'fastify'
import { addConsoleRoutes, type GateDeps } from './add-console-routes.ts'
import { type PeopleDeps, peopleRoutes } from './people-routes.ts'
import type { ConsoleRoute } from './route.ts'
import { type SessionDeps, sessionRoutes } from './session-routes.ts'
import { type TokenDeps, tokenRoutes } from './token-routes.ts'

export type ConsoleDeps = GateDeps & SessionDeps & PeopleDeps & TokenDeps

/** Everything the console asks for, area by area. */
export function consoleRoutes(deps: ConsoleDeps): ConsoleRoute[] {
  return [...sessionRoutes(deps), ...peopleRoutes(deps), ...tokenRoutes(deps)]
}

export function mountConsole(server: FastifyInstance, deps: ConsoleDeps): void {
  addConsoleRoutes(server, consoleRoutes(deps), deps)
}
