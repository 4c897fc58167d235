import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppStore } from '../../src/pipeline/appstores/appstore.ts'
import { createFlow, FLOW_ROLES, type FlowDeps, type FlowSettings } from '../../src/pipeline/flow.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createGuard } from '../../src/runtime/egress/guard.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import { instantOf } from '../../src/runtime/instant.ts'
import type { Log } from '../../src/runtime/log.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { listen } from './listen.ts'
import { silentMeter } from './silent-meter.ts'

/** The whole flow with a real database and a real receiver, without the rest of the service. */

export type Received = {
  readonly eventId: string
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly received: Received[]
  /** Answers 204 by default. Tests may replace it. */
  answer: (received: Received, response: ServerResponse) => void
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const eventId = String(request.headers['x-radar-event-id'])
      const one = { eventId, path: request.url ?? '', body, headers: request.headers }
      received.push(one)
      receiver.answer(one, response)
    })
  })
  const listening = await listen(server)
  const receiver: Receiver = {
    url: `${listening.url}/hook`,
    received,
    answer: (_, response) => response.writeHead(204).end(),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
  return receiver
}

export const SETTINGS: FlowSettings = {
  roles: new Set(FLOW_ROLES),
  poll: {
    reviews: { fixedIntervalMs: 50, intervalMsMin: 1, intervalMsMax: 1000 },
    rating: { fixedIntervalMs: 50, intervalMsMin: 1, intervalMsMax: 1000 },
  },
  referenceApps: new Map(),
  officialIntervalMs: 60_000,
  requestsPerMinute: { apple: 60_000, google: 60_000 },
  waitsMs: [20, 20],
  timeoutMs: 60_000,
  slots: { total: 64, perHook: 8, perHost: 64 },
  platforms: new Set(['zapier']),
  retentionMs: 1e10,
}

export async function openFlow(
  appStores: readonly AppStore[],
  options: { settings?: Partial<FlowSettings>; deps?: Partial<FlowDeps>; lines?: LogLine[] } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'radar-flow-'))
  const storage = options.deps?.storage ?? (await openSqlite({ file: join(folder, 'radar.db') }))
  const egress = openEgress({ guard: createGuard({ allowCidrs: ['127.0.0.0/8'] }), userAgent: 'Test/1' })
  await storage.accounts.create({ id: 'acc_1', name: 'Alice', createdAt: instantOf(Date.now()) })
  const lines = options.lines ?? []
  const flow = createFlow(
    {
      storage,
      appStores,
      enricher: null,
      egress,
      clock: systemClock,
      random: () => 0,
      log: recordingLog(lines),
      meter: silentMeter,
      openSecret: (sealed) => sealed,
      seal: (text) => text,
      userAgent: 'Test/1',
      ...options.deps,
    },
    { ...SETTINGS, ...options.settings },
  )
  return {
    flow,
    storage,
    lines,
    [Symbol.asyncDispose]: async () => {
      flow.abortInFlight()
      await flow.stop(5000)
      await egress[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type LogLine = { readonly event: string; readonly fields: Record<string, unknown> }

function recordingLog(lines: LogLine[]): Log {
  const note = (event: string, fields: Record<string, unknown> = {}) => void lines.push({ event, fields })
  return { debug: note, info: note, warn: note, error: note }
}
