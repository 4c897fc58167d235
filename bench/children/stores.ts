import { systemClock } from '../../src/runtime/clock.ts'
import { silentLog } from '../../src/runtime/log.ts'
import { startSimulation } from '../../src/simulate/server.ts'
import { createWorld } from '../../src/simulate/world.ts'
import { reviewOf } from '../reviews.ts'
import { answerCalls } from './calls.ts'

/** Simulates the two stores, with Apple apps that get reviews at a constant rate. */

/** The interval at which reviews are added. */
const STEP_MS = 50

const world = createWorld()
const simulation = await startSimulation({ host: '127.0.0.1', world, clock: systemClock, log: silentLog })
let made = 0
let timer: NodeJS.Timeout | null = null

function add(appId: string): void {
  const now = new Date()
  const place = { store: 'apple' as const, appId, market: 'us' }
  const { title, body, author, rating, appVersion } = reviewOf(place, made, now)
  const id = String(12_000_000_000 + made)
  made += 1
  world.addReview(place, { id, title, body, author, rating, version: appVersion, publishedAt: now })
}

answerCalls(
  {
    urls: () => ({ appleUrl: simulation.appleUrl, googleUrl: simulation.googleUrl }),
    addApps: (appIds: readonly string[]) => {
      for (const appId of appIds) {
        world.addApp({ store: 'apple', appId, name: 'An App', developer: 'A Developer', iconUrl: null })
        world.setRating({ store: 'apple', appId, storefront: 'us' }, { average: '4.5', count: 1000 })
      }
    },
    /** Adds `perSecond` reviews to these apps in turn until the next call; 0 stops. Returns the number of reviews added so far. */
    offer: (appIds: readonly string[], perSecond: number) => {
      if (timer !== null) clearInterval(timer)
      const added = made
      const fromMs = performance.now()
      const from = made
      timer = setInterval(() => {
        const due = from + Math.floor(((performance.now() - fromMs) * perSecond) / 1000)
        while (made < due) add(appIds[made % appIds.length] ?? '')
      }, STEP_MS)
      return added
    },
  },
  async () => {
    if (timer !== null) clearInterval(timer)
    await simulation[Symbol.asyncDispose]()
  },
)
