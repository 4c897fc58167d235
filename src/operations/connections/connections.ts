import { newId } from '../../model/ids.ts'
import {
  CONNECTIONS_MAX,
  connectionSealOf,
  type StoreConnection,
  storeOfConnection,
} from '../../model/store-connection.ts'
import {
  openCredentials,
  SEALED_BY_ANOTHER_KEY,
  type SealedCredentials,
} from '../../pipeline/appstores/official.ts'
import { createKeyedRateLimit } from '../../runtime/keyed-rate-limit.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { HookStorage } from '../../storage/port/hooks.ts'
import type { ReplyStorage } from '../../storage/port/replies.ts'
import type { ReviewHistoryStorage } from '../../storage/port/review-histories.ts'
import type { ReviewSourceStorage } from '../../storage/port/review-sources.ts'
import type { StoreConnectionStorage, WrittenConnection } from '../../storage/port/store-connections.ts'
import { nameOf } from '../accounts/names.ts'
import { OperationError } from '../error.ts'
import {
  bucketOf,
  type CredentialsInput,
  credentialsOf,
  defaultName,
  type GivenCredentials,
  packageNamesOf,
} from './credentials.ts'
import { type CredentialTestDeps, refusedCredentials, testCredentials } from './test-credentials.ts'
import { type ConnectionView, connectionView } from './view.ts'

export type ConnectionDeps = CredentialTestDeps & {
  readonly storeConnections: StoreConnectionStorage
  readonly reviewSources: Pick<ReviewSourceStorage, 'list' | 'use' | 'leave'>
  readonly reviewHistories: Pick<ReviewHistoryStorage, 'list' | 'start' | 'stop'>
  readonly hooks: Pick<HookStorage, 'watchedApps'>
  readonly replies: Pick<ReplyStorage, 'lastAcceptedAt'>
  readonly sealer: Sealer
  /** Ends the wait of the loops. */
  readonly wake: () => void
}

export type NewConnection = CredentialsInput & { readonly name?: string | undefined }

export type ConnectionChange = {
  readonly name?: string | undefined
  /** Google only: the package names. They are tested. */
  readonly appIds?: readonly string[] | undefined
  /** Google only; null for none. It is tested. */
  readonly reportsBucket?: string | null | undefined
}

/** Each test makes requests with the caller's credentials. */
const TESTS_PER_MINUTE = 10

/**
 * Credentials of an account for App Store Connect and the Google Play Developer API. No result contains them. Throws
 * `not_found` for an id without a connection in the account.
 */
export function connectionOperations(deps: ConnectionDeps) {
  const { storeConnections, sealer, clock } = deps
  const tests = createKeyedRateLimit({ max: TESTS_PER_MINUTE, windowMs: 60_000, clock })

  const require = async (accountId: string, id: string): Promise<StoreConnection> => {
    const connection = await storeConnections.get(accountId, id)
    if (connection === null) throw noSuchConnection()
    return connection
  }
  const test = (accountId: string, { credentials, appIds }: SealedCredentials) => {
    const waitMs = tests.take(accountId)
    if (waitMs === 0) return testCredentials(deps, credentials, appIds)
    const retryAfterS = Math.ceil(waitMs / 1_000)
    const problem = `An account can test credentials ${TESTS_PER_MINUTE} times per minute. Try again in ${retryAfterS} s.`
    throw new OperationError('rate_limited', problem, { retryAfterS })
  }
  const passed = async (accountId: string, sealed: SealedCredentials) => {
    const tested = await test(accountId, sealed)
    if (tested.kind === 'failed') throw refusedCredentials(tested.failure)
    if (tested.check.apps.length === 0) throw reachesNoApp(tested.check.warnings)
    return tested.check
  }
  const seal = (connection: Pick<StoreConnection, 'id' | 'accountId'>, sealed: SealedCredentials) =>
    sealer.seal(JSON.stringify(sealed), connectionSealOf(connection))
  const open = (connection: StoreConnection) => openCredentials(sealer.open, connection)
  const viewerOf = async (accountId: string) => {
    const [watched, sources, histories, accepted] = await Promise.all([
      deps.hooks.watchedApps(accountId),
      deps.reviewSources.list(accountId),
      deps.reviewHistories.list(accountId),
      deps.replies.lastAcceptedAt(accountId),
    ])
    return (connection: StoreConnection): ConnectionView =>
      connectionView(connection, {
        watched,
        sources,
        histories,
        acceptedAt: accepted.get(connection.id) ?? null,
      })
  }
  const shown = async (connection: StoreConnection) => (await viewerOf(connection.accountId))(connection)
  /** `mayBeInUse`: also an app that the connection is the source of and does not reach any more. */
  const requireApp = async (accountId: string, id: string, appId: string, mayBeInUse: boolean) => {
    const connection = await require(accountId, id)
    if (connection.check.apps.some((app) => app.appId === appId)) return connection
    if (mayBeInUse && (await isSourceOf(accountId, id, appId))) return connection
    throw new OperationError(
      'not_found',
      'The connection has no access to this app. Test it again after you change its permissions.',
    )
  }
  const isSourceOf = async (accountId: string, id: string, appId: string) =>
    (await deps.reviewSources.list(accountId)).some(
      (source) => source.connectionId === id && source.appId === appId,
    )
  const updated = async (
    accountId: string,
    id: string,
    change: Parameters<typeof storeConnections.update>[2],
  ) => {
    const result = await storeConnections.update(accountId, id, change)
    if (result === 'missing') throw noSuchConnection()
    if (result === 'taken') throw alreadyConnected(change.subject ?? '')
    return shown(await require(accountId, id))
  }

  return {
    /** Oldest first. */
    async list(accountId: string): Promise<ConnectionView[]> {
      const [connections, view] = await Promise.all([storeConnections.list(accountId), viewerOf(accountId)])
      return connections.map(view)
    },

    get: async (accountId: string, id: string): Promise<ConnectionView> =>
      shown(await require(accountId, id)),

    /**
     * Stores credentials that pass a test. Throws `invalid` for a field or credentials that the store refuses, `conflict`
     * for credentials that the account has or at its limit, `unavailable` when the store could not be asked, and
     * `rate_limited` after too many tests in a minute.
     */
    async connect(accountId: string, { name, ...input }: NewConnection): Promise<ConnectionView> {
      const given = credentialsOf(input)
      const { kind } = given.credentials
      const givenName =
        name === undefined || name.trim() === '' ? defaultName(kind, given.subject) : nameOf(name)
      if ((await storeConnections.list(accountId)).some((each) => isSame(each, given))) {
        throw alreadyConnected(given.subject)
      }
      const sealed = sealedOf(given, null)
      const check = await passed(accountId, sealed)
      const id = newId('con')
      const connection: WrittenConnection = {
        id,
        accountId,
        kind,
        name: givenName,
        subject: given.subject,
        credentials: seal({ id, accountId }, sealed),
        createdAt: clock.now(),
        rotatedAt: null,
        check,
      }
      if (!(await storeConnections.create(connection, CONNECTIONS_MAX))) throw alreadyConnected(given.subject)
      return shown(connection)
    },

    /** Tests stored credentials. A failure is part of the result. */
    async test(accountId: string, id: string): Promise<ConnectionView> {
      const connection = await require(accountId, id)
      const sealed = open(connection)
      const before = connection.check
      const failed = (problem: string) => ({ ...before, at: clock.now(), problem })
      if (sealed === null) return updated(accountId, id, { check: failed(SEALED_BY_ANOTHER_KEY) })
      const tested = await test(accountId, sealed)
      const check = tested.kind === 'ok' ? tested.check : failed(tested.failure.detail)
      return updated(accountId, id, { check })
    },

    /** Replaces the credentials with others of the same store, after a test. Throws as `connect` does. */
    async rotate(accountId: string, id: string, input: CredentialsInput): Promise<ConnectionView> {
      const connection = await require(accountId, id)
      if (input.kind !== connection.kind) {
        throw new OperationError('invalid', `must be "${connection.kind}", as the connection is.`, {
          field: 'kind',
        })
      }
      const given = credentialsOf(input)
      const apps = connection.check.apps.map((app) => app.appId)
      const sealed = sealedOf(given, open(connection) ?? { credentials: given.credentials, appIds: apps })
      const check = await passed(accountId, sealed)
      return updated(accountId, id, {
        subject: given.subject,
        credentials: seal(connection, sealed),
        rotatedAt: clock.now(),
        check,
      })
    },

    async change(
      accountId: string,
      id: string,
      { name, appIds, reportsBucket }: ConnectionChange,
    ): Promise<ConnectionView> {
      const connection = await require(accountId, id)
      const givenName = name === undefined ? {} : { name: nameOf(name) }
      if (appIds === undefined && reportsBucket === undefined) return updated(accountId, id, givenName)
      const stored = open(connection)
      if (stored === null) throw new OperationError('conflict', SEALED_BY_ANOTHER_KEY)
      const { credentials } = stored
      if (credentials.kind !== 'googleplay-developer') {
        const field = appIds === undefined ? 'reportsBucket' : 'appIds'
        throw new OperationError('invalid', 'must not be given: App Store Connect lists its apps.', { field })
      }
      const bucket = reportsBucket === undefined ? credentials.reportsBucket : bucketOf(reportsBucket)
      const sealed: SealedCredentials = {
        credentials: { ...credentials, reportsBucket: bucket },
        appIds: appIds === undefined ? stored.appIds : packageNamesOf(appIds),
      }
      const check = await passed(accountId, sealed)
      return updated(accountId, id, { ...givenName, credentials: seal(connection, sealed), check })
    },

    /**
     * Makes the connection the source of the account's reviews of an app, without events for reviews that the public pages
     * showed. Throws `not_found` for an app that it does not reach, and `conflict` for one that the account does not track.
     */
    async useForReviews(accountId: string, id: string, appId: string): Promise<ConnectionView> {
      const connection = await requireApp(accountId, id, appId, false)
      const app = { store: storeOfConnection(connection.kind), appId }
      const watched = await deps.hooks.watchedApps(accountId)
      if (!watched.some((row) => row.store === app.store && row.appId === appId)) {
        throw new OperationError('conflict', 'The account does not track this app. Track it first.')
      }
      if (!(await deps.reviewSources.use(accountId, app, id, clock.now()))) throw noSuchConnection()
      deps.wake()
      return shown(connection)
    },

    /** Changes an app back to the public pages. */
    async usePublicPages(accountId: string, id: string, appId: string): Promise<ConnectionView> {
      const connection = await requireApp(accountId, id, appId, true)
      const app = { store: storeOfConnection(connection.kind), appId }
      if (await isSourceOf(accountId, id, appId)) await deps.reviewSources.leave(accountId, app, clock.now())
      deps.wake()
      return shown(connection)
    },

    /**
     * Reads all reviews of an app that its official source has, in the background and without events. Continues a stopped
     * or failed import. Throws `not_found` for an app that the connection does not reach, and `conflict` for one whose
     * reviews do not come from it, or without a bucket of reports.
     */
    async importHistory(accountId: string, id: string, appId: string): Promise<ConnectionView> {
      const connection = await requireApp(accountId, id, appId, true)
      const sources = await deps.reviewSources.list(accountId)
      const source = sources.find((each) => each.connectionId === id && each.appId === appId)
      if (source?.state !== 'official') throw notTheSource(source?.state === 'switching')
      const credentials = open(connection)?.credentials
      if (credentials?.kind === 'googleplay-developer' && credentials.reportsBucket === null) {
        throw new OperationError(
          'conflict',
          'Google Play returns only the last seven days. Add the bucket of the reports to the connection first.',
        )
      }
      const app = { store: source.store, appId }
      if (!(await deps.reviewHistories.start(accountId, app, clock.now()))) throw notTheSource(false)
      deps.wake()
      return shown(connection)
    },

    /** Stops a running import. What was read stays. */
    async stopHistory(accountId: string, id: string, appId: string): Promise<ConnectionView> {
      const connection = await requireApp(accountId, id, appId, true)
      const app = { store: storeOfConnection(connection.kind), appId }
      if (await isSourceOf(accountId, id, appId)) await deps.reviewHistories.stop(accountId, app, clock.now())
      return shown(connection)
    },

    /** Deletes the credentials at once. Its apps change back to the public pages. */
    async remove(accountId: string, id: string): Promise<void> {
      if (!(await storeConnections.remove(accountId, id, clock.now()))) throw noSuchConnection()
    },
  }
}

/** `before`: the replaced credentials, whose apps and bucket stay if the new ones have none. */
function sealedOf(
  { credentials, appIds, hasBucket }: GivenCredentials,
  before: SealedCredentials | null,
): SealedCredentials {
  if (credentials.kind === 'appstoreconnect') return { credentials, appIds: [] }
  const old = before?.credentials
  const keepsBucket = !hasBucket && old?.kind === 'googleplay-developer'
  const reportsBucket = keepsBucket ? old.reportsBucket : credentials.reportsBucket
  return {
    credentials: { ...credentials, reportsBucket },
    appIds: appIds ?? packageNamesOf(before?.appIds ?? []),
  }
}

function isSame({ kind, subject }: StoreConnection, given: GivenCredentials): boolean {
  return kind === given.credentials.kind && subject === given.subject
}

function notTheSource(isSwitching: boolean): OperationError {
  return new OperationError(
    'conflict',
    isSwitching
      ? 'The app is still switching to this connection. Import its history after the first successful poll.'
      : 'The reviews of this app do not come from this connection. Change its source first.',
  )
}

function noSuchConnection(): OperationError {
  return new OperationError('not_found', 'The account has no store connection with this id.')
}

function alreadyConnected(subject: string): OperationError {
  return new OperationError(
    'conflict',
    `The account is already connected with ${subject}. Replace its credentials instead.`,
  )
}

function reachesNoApp(warnings: readonly string[]): OperationError {
  const reasons = ['Give the key access to at least one app in the store.', ...warnings]
  return new OperationError(
    'invalid',
    `The store accepted the credentials, but they have access to no apps. ${reasons.join(' ')}`,
  )
}
