import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { mountConsole } from '../api/console/console.ts'
import type { DemoUser } from '../api/console/demo-routes.ts'
import type { DiskWatch } from '../node/disk-watch.ts'
import type { readinessOf } from '../node/readiness.ts'
import { setupCodeOf } from '../operations/accounts/setup-code.ts'
import type { AccountGuard } from '../operations/limits.ts'
import type { Operations } from '../operations/operations.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Egress } from '../runtime/egress/egress.ts'
import type { Log } from '../runtime/log.ts'
import type { Sealer } from '../runtime/seal.ts'
import { newestVersion } from '../storage/migrate.ts'
import type { Storage } from '../storage/port/storage.ts'
import { sqliteSchema } from '../storage/sqlite/migrate.ts'
import type { Config } from './config/config.ts'
import { identityProviderOf } from './sign-in/oidc/from-config.ts'
import type { OpenSignIn } from './sign-in/open.ts'
import { VERSION } from './version.ts'

/** The address and the one-time code of the setup page. */
export type Setup = { readonly open: string; readonly code: string }

export type Console = {
  /** The origins of its pages. */
  readonly origins: () => readonly string[]
  readonly mount: (server: FastifyInstance) => Promise<void>
  /** To be called when the server listens. Logs and returns the code of the setup page until the first user exists, then null. */
  readonly started: () => Promise<Setup | null>
  /** Creates an account and a one-time link that signs in to it. Only with `demo`. */
  readonly createDemoAccount: (name: string) => Promise<DemoAccount>
}

export type DemoAccount = { readonly accountId: string; readonly link: string }

export type ConsoleParts = {
  /** As `/readyz`, for the System page. */
  readonly readiness: () => ReturnType<typeof readinessOf>
  readonly readinessExceptClock: () => ReturnType<typeof readinessOf>
  readonly disk: Pick<DiskWatch, 'state'>
  readonly config: Config
  readonly limits: AccountGuard
  readonly storage: Storage
  readonly clock: Clock
  readonly log: Log
  readonly operations: Operations
  readonly signIn: OpenSignIn
  readonly sealer: Sealer
  /** For requests to the identity provider, whose URL the operator sets. */
  readonly egress: Egress
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  /** Whether this is the demo, in which a link can sign in. */
  readonly demo: boolean
  /** The URL of the server. With port 0 it is known only when the server listens. */
  readonly localUrl: () => string
}

const PAGES_FOLDER = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** The console of a node with the role `api`. */
export function createConsole(parts: ConsoleParts): Console {
  const { config, signIn, storage, clock, log, localUrl } = parts
  const publicUrl = () => config.publicUrl ?? localUrl()
  const origins = () => [new URL(publicUrl()).origin, new URL(localUrl()).origin]
  let demoUser: DemoUser | null = null
  return {
    origins,
    mount: (server) =>
      mountConsole(server, {
        operations: parts.operations,
        limits: parts.limits,
        attemptLimits: storage.attemptLimits,
        engine: storage.engine,
        clock,
        log,
        stopping: parts.stopping,
        version: VERSION,
        publicUrl,
        origins,
        passkeyProtocol: async () => (await import('./sign-in/webauthn.ts')).webAuthn({ publicUrl, origins }),
        signIn: signIn.get,
        signup: config.signup,
        sealer: parts.sealer,
        identityProvider: identityProviderOf(config, parts.egress, clock, publicUrl),
        demoUser: parts.demo ? () => demoUser : undefined,
        pagesFolder: PAGES_FOLDER,
        // The same on both engines.
        schemaVersion: newestVersion(sqliteSchema()),
        startedAt: clock.now(),
        readiness: parts.readiness,
        readinessExceptClock: parts.readinessExceptClock,
        disk: parts.disk,
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
      if (parts.demo || (await storage.people.anyMember())) return null
      const setup = {
        open: `${publicUrl().replace(/\/$/, '')}/setup`,
        code: await setupCodeOf(storage.maintenance),
      }
      log.info('setup.code', setup)
      return setup
    },

    async createDemoAccount(name) {
      if (!parts.demo) throw new Error('a demo account requires the demo')
      const secret = () => randomBytes(24).toString('base64url')
      const user = { key: secret(), name, email: 'demo@example.com', password: secret() }
      const { accountId } = await parts.operations.accounts.create(user)
      demoUser = user
      return { accountId, link: `${localUrl()}/api/console/demo?key=${user.key}` }
    },
  }
}
