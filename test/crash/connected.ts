import { type Client, createClient } from '../../src/client/client.ts'
import type { Reply } from '../../src/model/reply.ts'
import { fingerprintOf } from '../../src/model/review.ts'
import { officialFingerprintOf } from '../../src/model/review-source.ts'
import type { Random } from '../../src/simulate/random.ts'
import type { World } from '../../src/simulate/world.ts'
import { connectStore, withoutQuotas } from '../support/connect-store.ts'
import type { App } from './activity.ts'
import type { Ledger } from './ledger.ts'
import type { Node } from './nodes.ts'

/** The app whose owner changes its source and answers its reviews. Its ids are UUIDs, which are the same in both sources. */
export const CONNECTED_APP: App = { store: 'google', appId: 'com.example.connected', market: 'en' }

export function connectedReviewId(number: number): string {
  return `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`
}

type Answer = { readonly fingerprint: string; readonly text: string; isStored: boolean; isReplaced: boolean }

/** The owner of the connected app. Requests to a killed node fail, and the owner does not repeat them. */
export type Owner = {
  /** Changes the source back or forth. */
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
  const { store, appId } = CONNECTED_APP
  const id = await connectStore({ client: client() }, world, CONNECTED_APP)
  const answers: Answer[] = []
  let isOfficial = false
  let sourceChanges = 0

  async function publish(): Promise<void> {
    const reviews = world.reviews(CONNECTED_APP)
    if (reviews.length === 0) return
    // The newest reviews, so that answers replace each other and retention has not deleted the reviews.
    const { id: reviewId } = random.pick(reviews.slice(0, 8))
    const fingerprints = [
      officialFingerprintOf(accountId, store, appId, reviewId),
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
      isOfficial = !isOfficial
      const method = isOfficial ? 'PUT' : 'DELETE'
      void client()
        .call(method, `/store-connections/${id}/apps/${appId}`)
        .then(
          () => {
            sourceChanges += 1
          },
          () => {},
        )
    },
    figures: () => ({
      sourceChanges,
      answersPublished: world
        .reviews(CONNECTED_APP)
        .filter((review) => world.official.reply({ store, appId, reviewId: review.id }) !== null).length,
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
