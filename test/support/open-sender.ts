import type { Hook } from '../../src/model/hook.ts'
import { createSettingsOpener } from '../../src/pipeline/send/message/settings.ts'
import { sendLoop } from '../../src/pipeline/send/send.ts'
import type { SlotLimits } from '../../src/pipeline/send/slots.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Egress } from '../../src/runtime/egress/egress.ts'
import { instantOf, type WithInstants } from '../../src/runtime/instant.ts'
import { type Log, silentLog } from '../../src/runtime/log.ts'
import type { Mailer } from '../../src/runtime/mailer.ts'
import { hookOf, NOON, subscribe } from '../../src/storage/conformance/samples.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { openSqlite } from '../../src/storage/sqlite/open.ts'
import { SECRET } from './hook-for.ts'
import { openLocal } from './local-egress.ts'
import { silentMeter } from './silent-meter.ts'

const never = new AbortController().signal
const MINUTE_MS = 60_000

/** A sender. The test controls its passes and time. */
export async function openSender(
  options: {
    slots?: Partial<SlotLimits>
    timeoutMs?: number
    waitsMs?: readonly number[]
    openSecret?: (s: string) => string
    request?: (egress: Egress) => Egress['request']
    log?: Log
    mailer?: Mailer
    /** That of another sender, as after a restart; and its time. */
    storage?: Storage
    startAt?: Date
    /** How long each claim takes, in order. */
    claimsTakeMs?: number[]
  } = {},
) {
  let nowMs = (options.startAt ?? NOON).getTime()
  const clock: Clock = { now: () => instantOf(nowMs), monotonicMs: () => nowMs, sleep: async () => {} }
  const storage = options.storage ?? (await openSqlite({ file: ':memory:', clock }))
  const egress = openLocal()
  if (options.storage === undefined)
    await storage.accounts.create({ id: 'alice', name: 'Alice', createdAt: NOON })
  const abortInFlight = new AbortController()
  const opener = options.openSecret ?? ((sealed: string) => sealed)
  const { claim } = storage.deliveries
  Object.assign(storage.deliveries, {
    claim: async (...args: Parameters<typeof claim>) => {
      const claimed = await claim(...args)
      nowMs += options.claimsTakeMs?.shift() ?? 0
      return claimed
    },
  })
  const loop = sendLoop(
    {
      storage,
      egress: { ...egress, request: options.request?.(egress) ?? egress.request },
      clock,
      random: () => 0,
      log: options.log ?? silentLog,
      meter: silentMeter,
      userAgent: 'Test/1',
      secretsOf: ({ secrets }) => secrets.map(({ sealed }) => opener(sealed)),
      messages: {
        mailer: options.mailer ?? null,
        publicUrl: null,
        settingsOf: createSettingsOpener(opener),
        seal: (text: string) => text,
        feeds: storage.feeds,
        deliveries: storage.deliveries,
      },
      newLease: () => `lease_${Math.random()}`,
      wake: () => {},
      abortInFlight: abortInFlight.signal,
    },
    {
      slots: { total: 64, perHook: 8, perHost: 64, ...options.slots },
      idleMs: 1000,
      timeoutMs: options.timeoutMs ?? 60_000,
      waitsMs: options.waitsMs ?? [MINUTE_MS, MINUTE_MS],
      platforms: new Set(['zapier']),
    },
  )
  const addHook = async (change: Partial<WithInstants<Hook>>) => {
    const hook = hookOf({ secrets: [{ sealed: SECRET, expiresAt: null }], ...change })
    await subscribe(storage, hook)
    return hook
  }
  return {
    storage,
    loop,
    addHook,
    abortInFlight,
    /** Runs passes until there is nothing to claim and all claims are settled. */
    drain: async () => {
      while ((await loop.pass(never)) === 'worked') await loop.finish?.()
    },
    move: (ms: number) => (nowMs += ms),
    now: () => instantOf(nowMs),
    list: () => storage.deliveries.list('alice', {}, { limit: 100, before: null }),
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]()
      if (options.storage === undefined) await storage[Symbol.asyncDispose]()
    },
  }
}
