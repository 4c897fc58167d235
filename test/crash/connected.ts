import { type Client, createClient } from '../../src/client/client.ts'
import type { Reply } from '../../src/model/reply.ts'
import { fingerprintOf } from '../../src/model/review.ts'
import { officialFingerprintOf } from '../../src/model/review-source.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { ascIdOf } from '../../src/simulate/appstoreconnect/review-id.ts'
import type { Random } from '../../src/simulate/random.ts'
import type { World } from '../../src/simulate/world.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { App } from './activity.ts'
import type { Ledger } from './ledger.ts'
import type { Node } from './nodes.ts'

/** The apps whose owner changes their source and answers their reviews, one of each store. */
export const CONNECTED_APPS: readonly App[] = [
  { store: 'google', appId: 'com.example.connected', market: 'en' },
  { store: 'apple', appId: '900009', market: 'us' },
]

/** The id of a review on the public pages. Both sources of Google show the same one, a UUID. */
export function connectedReviewId({ store }: App, number: number): string {
  const digits = String(number)
  return store === 'apple'
    ? `9${digits.padStart(9, '0')}`
    : `${digits.padStart(8, '0')}-0000-4000-8000-000000000000`
}

/** The id of the review on the public pages. Apple's official id contains it. */
export function publicReviewIdOf(store: Store, reviewId: string): string {
  if (store !== 'apple' || !reviewId.includes('-')) return reviewId
  return String(Buffer.from(reviewId.replaceAll('-', ''), 'hex').readUIntBE(7, 5))
}

function officialReviewIdOf({ store, appId }: App, reviewId: string): string {
  return store === 'apple' ? ascIdOf(appId, reviewId) : reviewId
}

type Answer = { readonly fingerprint: string; readonly text: string; isStored: boolean; isReplaced: boolean }

/** How long Apple takes to publish an answer, of the service's time. */
const PUBLISH_DELAY_MS = 2_000

/** The owner of the connected apps. Requests to a killed node fail, and the owner does not repeat them. */
export type Owner = {
  /** Changes the source of one of the apps back or forth. */
  readonly changeSource: () => void
  readonly answer: () => void
  /** Changes that the service confirmed, and answers in the store. */
  readonly figures: () => { readonly sourceChanges: number; readonly answersPublished: number }
  /** Answers that are neither in the store nor refused, one sentence each. */
  readonly unfinished: () => Promise<string[]>
}

/** `world` that reports an answer that is written twice. */
export function withAnswersOnce(world: World, ledger: Pick<Ledger, 'violate'>): World {
  const written = new Set<string>()
  const setReply: World['official']['setReply'] = (of, reply) => {
    if (reply !== null && written.has(reply.text)) ledger.violate(`${reply.text} was written twice.`)
    if (reply !== null) written.add(reply.text)
    world.official.setReply(of, reply)
  }
  return { ...world, official: { ...world.official, setReply } }
}

export async function createOwner(deps: {
  readonly world: World
  readonly accountId: string
  readonly token: string
  readonly nodes: readonly Node[]
  readonly random: Random
  /** The stored answer. */
  readonly replyOf: (fingerprint: string) => Promise<Reply | null>
}): Promise<Owner> {
  const { world, accountId, token, nodes, random } = deps
  const clients = nodes.map(({ url }): Client => createClient({ baseUrl: url, token }))
  const client = () => random.pick(clients)
  withoutQuotas(world)
  world.official.configure({ publishDelayMs: PUBLISH_DELAY_MS })
  const connections: { readonly id: string; readonly app: App; isOfficial: boolean }[] = []
  for (const app of CONNECTED_APPS) {
    const id = await connectStore({ client: client() }, world, app)
    connections.push({ id, app, isOfficial: false })
  }
  const answers: Answer[] = []
  let sourceChanges = 0

  async function publish(): Promise<void> {
    const app = random.pick(CONNECTED_APPS)
    const { store, appId } = app
    const reviews = world.reviews(app)
    if (reviews.length === 0) return
    // The newest reviews, so that answers replace each other and retention has not deleted the reviews.
    const { id: reviewId } = random.pick(reviews.slice(0, 8))
    const fingerprints = [
      officialFingerprintOf(accountId, store, appId, officialReviewIdOf(app, reviewId)),
      fingerprintOf(store, appId, reviewId),
    ]
    const fingerprint = random.pick(fingerprints)
    const answer = { fingerprint, text: `Answer ${answers.length}`, isStored: false, isReplaced: false }
    for (const other of answers) if (other.fingerprint === fingerprint) other.isReplaced = true
    answers.push(answer)
    await client().call('PUT', `/reviews/${fingerprint}/reply`, { body: { text: answer.text } })
    answer.isStored = true
  }

  return {
    changeSource() {
      const connection = random.pick(connections)
      connection.isOfficial = !connection.isOfficial
      const method = connection.isOfficial ? 'PUT' : 'DELETE'
      void client()
        .call(method, `/store-connections/${connection.id}/apps/${connection.app.appId}`)
        .then(
          () => {
            sourceChanges += 1
          },
          () => {},
        )
    },
    figures: () => ({
      sourceChanges,
      answersPublished: CONNECTED_APPS.flatMap((app) =>
        world.reviews(app).filter(({ id }) => world.official.reply({ ...app, reviewId: id }) !== null),
      ).length,
    }),
    answer: () => void publish().catch(() => {}),
    async unfinished() {
      const left: string[] = []
      for (const { fingerprint, text, isStored, isReplaced } of answers) {
        if (!isStored || isReplaced) continue
        const reply = await deps.replyOf(fingerprint)
        const isRefused = reply?.state === 'refused' && reply.problem !== null
        if (!isRefused && reply?.state !== 'published')
          left.push(`${text} is ${reply?.state} (${reply?.problem}).`)
      }
      return left
    },
  }
}
