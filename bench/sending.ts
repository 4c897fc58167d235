import type { Child } from './child.ts'
import type { BenchEngine } from './engines.ts'
import { createHooks, spreadHooks } from './hooks.ts'
import { createOffer, type Offer } from './offer.ts'

/** Hosts, apps and hooks of an app: with 16 requests at once to a host, all 256 slots of a node are in use. */
const HOSTS = 16
const APPS = Array.from({ length: 16 }, (_, index) => `org.example.app${index}`)
const HOOKS_PER_APP = 4

/** Opens the targets at the receiver; their URLs. */
export function openTargets(receiver: Child): Promise<string[]> {
  return receiver.call('open', HOSTS, true)
}

/** Makes the hooks, and keeps their feeds from every service that is started afterwards. */
export async function prepareSending({ storage }: BenchEngine, urls: readonly string[]): Promise<Offer> {
  await createHooks(storage, spreadHooks('google', APPS, HOOKS_PER_APP, urls))
  const offer = createOffer(storage)
  await offer.reviews(0)
  return offer
}

/** For all occurrences of a round to be in storage before the first is fanned out: what makes them is not measured. */
const LEAD_MS = 5_000

/** Offers `perApp` reviews of each app: the events they become, and how long their requests took from first to last. */
export async function sendRound(
  receiver: Child,
  offer: Offer,
  perApp: number,
): Promise<{ events: number; tookMs: number }> {
  await receiver.call('reset')
  const events = (await offer.reviews(perApp, LEAD_MS)) * HOOKS_PER_APP
  if ((await receiver.call<number>('count')) > 0) throw new Error('requests came before all was offered')
  return { events, tookMs: await receiver.call<number>('received', events) }
}
