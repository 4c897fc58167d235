import type { Child } from './child.ts'
import type { ReceiverOptions } from './children/receiver.ts'
import type { BenchEngine } from './engines.ts'
import { createHooks, spreadHooks } from './hooks.ts'
import { createOffer, type Offer } from './offer.ts'

/** With 16 concurrent requests per host, 16 hosts use all 256 slots of a node. */
const HOSTS = 16
const APPS = Array.from({ length: 16 }, (_, index) => `org.example.app${index}`)
const HOOKS_PER_APP = 4

/** Opens the targets in the receiver and returns their URLs. */
export function openTargets(receiver: Child, options: ReceiverOptions = {}): Promise<string[]> {
  return receiver.call('open', HOSTS, true, options)
}

/** Creates the hooks, and postpones their feeds so that no service polls them. */
export async function prepareSending(
  { storage }: BenchEngine,
  urls: readonly string[],
  bodyCharsMin = 0,
): Promise<Offer> {
  await createHooks(storage, spreadHooks('google', APPS, HOOKS_PER_APP, urls))
  const offer = createOffer(storage, bodyCharsMin)
  await offer.reviews(0)
  return offer
}

/** Lead time, so that all occurrences of a round are stored before the first fan-out. Detection is not measured. */
const LEAD_MS = 5_000

/**
 * Commits `perApp` reviews of each app. Returns the number of events, and the time from the first to the last request.
 */
export async function sendRound(
  receiver: Child,
  offer: Offer,
  perApp: number,
  hooksPerApp = HOOKS_PER_APP,
  leadMs = LEAD_MS,
): Promise<{ events: number; tookMs: number }> {
  await receiver.call('reset')
  const events = (await offer.reviews(perApp, leadMs)) * hooksPerApp
  if ((await receiver.call<number>('count')) > 0)
    throw new Error('a request arrived before all reviews were stored')
  return { events, tookMs: await receiver.call<number>('received', events) }
}
