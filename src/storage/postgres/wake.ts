import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { clientConfig, IS_DIRECT, processIdOf } from './client.ts'
import type { Database } from './connect.ts'

const CHANNEL = 'radar_work'

/** The minimum time between two notifications, since each is a commit. */
const NOTIFY_EVERY_MS = 50

const RECONNECT_FIRST_MS = 200
const RECONNECT_MAX_MS = 30_000

/**
 * Notifies other nodes of new work, and listens on a separate connection, but not behind a pooler: in transaction mode nobody would hear
 * the answer. This only shortens waits: without a notification the other nodes find the work at their next read.
 */
export class Wake implements AsyncDisposable {
  readonly #url: string
  readonly #applicationName: string
  readonly #clock: Clock
  readonly #log: Log
  /** Identifies this node's own notifications, which it ignores. */
  readonly #self = randomUUID()
  readonly #listeners = new Set<() => void>()
  readonly #stopped = new AbortController()
  #listening: Promise<void> | null = null
  #notifying: Promise<void> | null = null

  constructor(options: {
    readonly url: string
    readonly applicationName: string
    readonly clock: Clock
    readonly log: Log
  }) {
    this.#url = options.url
    this.#applicationName = options.applicationName
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Connects with the first listener and stays connected. Returns a function that removes the listener. */
  onWake(wake: () => void): () => void {
    this.#listeners.add(wake)
    this.#listening ??= this.#listen()
    return () => this.#listeners.delete(wake)
  }

  /** Sends one notification for all calls within a short time. */
  notify(database: Database): void {
    if (this.#notifying !== null || this.#stopped.signal.aborted) return
    this.#notifying = (async () => {
      await this.#clock.sleep(NOTIFY_EVERY_MS, this.#stopped.signal)
      this.#notifying = null
      try {
        await database.run('select pg_notify($1, $2)', CHANNEL, this.#self)
      } catch (error) {
        this.#log.debug('storage.notify_failed', { detail: String(error) })
      }
    })()
  }

  /** Call it before the database's pool is closed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#listening
    await this.#notifying
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopped
    let waitMs = RECONNECT_FIRST_MS
    while (!signal.aborted) {
      const connected = await this.#listenOnce(signal).catch((error) => {
        this.#log.warn('storage.listen_failed', { detail: String(error) })
        return false
      })
      if (connected === null) return
      waitMs = connected ? RECONNECT_FIRST_MS : Math.min(waitMs * 2, RECONNECT_MAX_MS)
      if (!signal.aborted) await this.#clock.sleep(waitMs, signal)
    }
  }

  /** Resolves when the connection has ended. Returns true, or null at a pooler. Throws if it was not established. */
  async #listenOnce(signal: AbortSignal): Promise<true | null> {
    const client = new pg.Client(await clientConfig(this.#url, this.#applicationName))
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    client.once('end', end)
    client.on('error', (error) => {
      this.#log.warn('storage.listen_broken', { detail: error.message })
      end()
    })
    const stop = () => end()
    signal.addEventListener('abort', stop)
    client.on('notification', ({ payload }) => {
      if (payload !== this.#self) this.#wakeAll()
    })
    try {
      await client.connect()
      const direct = await client.query(`select where ${IS_DIRECT}`, [processIdOf(client)])
      if (direct.rowCount === 0) {
        this.#log.info('storage.pooled')
        return null
      }
      await client.query(`listen ${CHANNEL}`)
      // For notifications before the connection.
      this.#wakeAll()
      if (!signal.aborted) await ended
      return true
    } finally {
      signal.removeEventListener('abort', stop)
      await client.end().catch(() => {})
    }
  }

  #wakeAll(): void {
    for (const wake of this.#listeners) wake()
  }
}
