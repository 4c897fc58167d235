import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../api/console/console.ts'
import { newSetupCode } from '../api/console/setup-code.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Storage } from '../storage/port.ts'
import type { Config } from './config/config.ts'
import { openSignIn } from './sign-in/open.ts'
import { VERSION } from './version.ts'

export type Console = AsyncDisposable & {
  readonly mount: (server: FastifyInstance) => void
  /** To be called once the server listens: while nobody can sign in, the log shows the code of the setup page. */
  readonly started: () => Promise<void>
}

const SETUP_MARK = 'setup_code'

/** The console's side of a node with the role `api`. */
export function createConsole(deps: {
  readonly config: Config
  readonly secretKey: Uint8Array
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  /** Where the server listens; asked late. */
  readonly localUrl: () => string
}): Console {
  const { config, secretKey, storage, clock, log, localUrl } = deps
  const publicUrl = () => config.publicUrl ?? localUrl()
  const signIn = openSignIn({
    databaseUrl: config.databaseUrl,
    secretKey,
    urls: () => ({ publicUrl: publicUrl(), localUrl: localUrl() }),
    log,
  })
  // Kept in the database, so that every node and every start shows the same.
  const setupCode = () => storage.upkeep.keepFirst(SETUP_MARK, newSetupCode())
  return {
    mount: (server) =>
      mountConsole(server, {
        ...storage,
        clock,
        version: VERSION,
        publicUrl,
        origins: () => [new URL(publicUrl()).origin, new URL(localUrl()).origin],
        signIn: signIn.get,
        setupCode,
        signup: config.signup,
      }),

    async started() {
      if (await storage.people.anyMember()) return
      log.info('setup.code', { open: `${publicUrl().replace(/\/$/, '')}/setup`, code: await setupCode() })
    },

    [Symbol.asyncDispose]: () => signIn[Symbol.asyncDispose](),
  }
}
