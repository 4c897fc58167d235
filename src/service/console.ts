import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../api/console/console.ts'
import { createAccountWithOwner } from '../api/console/create-account.ts'
import type { DemoUser } from '../api/console/demo-routes.ts'
import { newSetupCode } from '../api/console/setup-code.ts'
import type { HookTestDeps } from '../api/routes/hook-test.ts'
import type { AccountGuard } from '../operations/limits.ts'
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
  readonly mount: (server: FastifyInstance) => Promise<void>
  /** To be called once the server listens: while nobody can sign in, the log shows the code of the setup page. */
  readonly started: () => Promise<void>
  /** Makes an account and a link that opens the console signed in to it, once. Only with `demo`. */
  readonly makeDemoAccount: (name: string) => Promise<DemoAccount>
}

export type DemoAccount = { readonly accountId: string; readonly link: string }

export type ConsoleParts = {
  /** For the System page: as `/readyz` has them. */
  readonly warnings: () => Promise<readonly string[]>
  readonly config: Config
  readonly limits: AccountGuard
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
  /** This is the demo: a link may sign in. */
  readonly demo: boolean
  /** Where the server listens; asked late. */
  readonly localUrl: () => string
}

const PAGES_FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url))
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
  let demoUser: DemoUser | null = null
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
        demoUser: parts.demo ? () => demoUser : undefined,
        pagesFolder: PAGES_FOLDER,
        newSecret,
        stores: parts.appStores.map((client) => ({ client, ...flow.paceOf(client.store) })),
        wakePoll: flow.wake,
        wakeSend: flow.wake,
        giveUpAfterMs: giveUpAfterMsOf(config.delivery.retryWaitsMs),
        schemaVersion: readdirSync(SQLITE_MIGRATIONS).length,
        startedAt: clock.now(),
        warnings: parts.warnings,
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
      if (parts.demo || (await storage.people.anyMember())) return
      log.info('setup.code', { open: `${publicUrl().replace(/\/$/, '')}/setup`, code: await setupCode() })
    },

    async makeDemoAccount(name) {
      if (!parts.demo) throw new Error('a demo account was asked for in a service that is no demo')
      const secret = () => randomBytes(24).toString('base64url')
      const user = { key: secret(), name, email: 'demo@example.com', password: secret() }
      const made = await createAccountWithOwner(
        { signIn: await signIn.get(), people: storage.people, clock },
        user,
        { accountName: name, operator: true, onlyFirst: false },
      )
      if (!made.ok) throw new Error('the demo has an account already')
      demoUser = user
      return { accountId: made.accountId, link: `${localUrl()}/api/console/demo?key=${user.key}` }
    },

    [Symbol.asyncDispose]: () => signIn[Symbol.asyncDispose](),
  }
}
