import { readdirSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../api/console/console.ts'
import { newSetupCode } from '../api/console/setup-code.ts'
import type { HookTestDeps } from '../api/routes/hook-test.ts'
import type { AppStore } from '../pipeline/appstores/appstore.ts'
import type { Flow } from '../pipeline/flow.ts'
import { giveUpAfterMsOf } from '../pipeline/send/after-attempt.ts'
import { newSecret } from '../pipeline/send/signature.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AddressGuard } from '../runtime/egress/guard.ts'
import type { Log } from '../runtime/log.ts'
import type { Sealer } from '../runtime/seal.ts'
import type { Storage } from '../storage/port.ts'
import { SQLITE_MIGRATIONS } from '../storage/sqlite/migrate.ts'
import type { Config } from './config/config.ts'
import { openSignIn } from './sign-in/open.ts'
import { VERSION } from './version.ts'

export type Console = AsyncDisposable & {
  readonly mount: (server: FastifyInstance) => void
  /** To be called once the server listens: while nobody can sign in, the log shows the code of the setup page. */
  readonly started: () => Promise<void>
}

export type ConsoleParts = {
  readonly config: Config
  readonly secretKey: Uint8Array
  readonly sealer: Sealer
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly guard: AddressGuard
  readonly sendOnce: HookTestDeps['sendOnce']
  readonly appStores: readonly AppStore[]
  readonly flow: Pick<Flow, 'wake' | 'paceOf'>
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  /** Where the server listens; asked late. */
  readonly localUrl: () => string
}

const SETUP_MARK = 'setup_code'

/** The console's side of a node with the role `api`. */
export function createConsole(parts: ConsoleParts): Console {
  const { config, secretKey, storage, clock, log, flow, localUrl } = parts
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
        ...parts,
        version: VERSION,
        publicUrl,
        origins: () => [new URL(publicUrl()).origin, new URL(localUrl()).origin],
        signIn: signIn.get,
        setupCode,
        signup: config.signup,
        newSecret,
        stores: parts.appStores.map((client) => ({ client, ...flow.paceOf(client.store) })),
        wakePoll: flow.wake,
        wakeSend: flow.wake,
        giveUpAfterMs: giveUpAfterMsOf(config.delivery.retryWaitsMs),
        schemaVersion: readdirSync(SQLITE_MIGRATIONS).length,
        startedAt: clock.now(),
        requestsPerMinute: config.stores.requestsPerMinute,
        settings: () =>
          config.shown.map(({ name, value, origin, about }) => ({
            name,
            value,
            fromDefault: origin === null,
            about,
          })),
      }),

    async started() {
      if (await storage.people.anyMember()) return
      log.info('setup.code', { open: `${publicUrl().replace(/\/$/, '')}/setup`, code: await setupCode() })
    },

    [Symbol.asyncDispose]: () => signIn[Symbol.asyncDispose](),
  }
}
