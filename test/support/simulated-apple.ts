import { createServer } from 'node:http'
import type { AddedFormats } from '../../src/pipeline/appstores/added-formats.ts'
import { createApple } from '../../src/pipeline/appstores/apple/apple.ts'
import type { AppStore, Pace } from '../../src/pipeline/appstores/appstore.ts'
import { openEgress } from '../../src/runtime/egress/open.ts'
import type { SimulatedAnswer, SimulatedRequest } from '../../src/simulate/answer.ts'
import { handleApple } from '../../src/simulate/apple/apple.ts'
import { createWorld, type World } from '../../src/simulate/world.ts'
import { listen } from './listen.ts'

/** The App Store client with the simulated App Store, over real HTTP. */
export type SimulatedApple = AsyncDisposable & {
  readonly world: World
  readonly store: AppStore
  readonly url: string
  /** Sources requested so far, in order. */
  readonly requestedSources: () => readonly string[]
  /** The number of permits that the client has requested. */
  readonly permits: () => number
  readonly pace: Pace
}

/** `answer` replaces answers of the simulated store. */
export async function startSimulatedApple(
  answer?: (request: SimulatedRequest) => SimulatedAnswer | null,
  added: AddedFormats['apple'] = {},
): Promise<SimulatedApple> {
  const world = createWorld()
  const server = createServer((incoming, response) => {
    const headers = incoming.headers as Record<string, string | undefined>
    const at = new Date('2026-07-01T12:00:00Z')
    const request = { method: incoming.method ?? '', url: incoming.url ?? '', headers, body: '', at }
    const reply = answer?.(request) ?? handleApple(world, request)
    if (reply.drop === true) incoming.socket.destroy()
    else response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  const listening = await listen(server)
  const { url } = listening
  const egress = openEgress({ guard: null, userAgent: 'review-radar/test' })
  let permits = 0
  return {
    world,
    store: createApple({ egress, itunesUrl: url, webUrl: url, added }),
    url,
    requestedSources: () => world.requests('apple').map((request) => request.source),
    permits: () => permits,
    pace: async () => {
      permits += 1
      return true
    },
    [Symbol.asyncDispose]: async () => {
      await egress[Symbol.asyncDispose]()
      await listening[Symbol.asyncDispose]()
    },
  }
}

/** Adds `count` reviews, one per minute, the last at noon, with increasing IDs. `more` is appended to each body. */
export function addReviews(
  world: World,
  appId: string,
  market: string,
  count: number,
  firstId = 7_000_000_001,
  more = '',
): void {
  for (let index = 0; index < count; index += 1) {
    world.addReview(
      { store: 'apple', appId, market },
      {
        id: String(firstId + index),
        rating: (index % 5) + 1,
        title: `Title ${index}`,
        body: `Line one of ${index} 🎉\nand <two> & "more"${more}`,
        author: `Author ${index}`,
        version: `1.${index}`,
        publishedAt: new Date(Date.parse('2026-07-01T12:00:00Z') - (count - 1 - index) * 60_000),
      },
    )
  }
}

export const APP = '999000111'

export function addApp(world: World, appId = APP): void {
  world.addApp({
    store: 'apple',
    appId,
    name: `App ${appId}`,
    developer: 'Example Ltd',
    iconUrl: 'https://icons.example/a.png',
  })
}
