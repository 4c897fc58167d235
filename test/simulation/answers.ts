import type { Reply } from '../../src/model/reply.ts'
import { fingerprintOf } from '../../src/model/review.ts'
import { officialFingerprintOf } from '../../src/model/review-source.ts'
import type { Store } from '../../src/model/vocabulary.ts'
import { OperationError } from '../../src/operations/error.ts'
import { replyOperations } from '../../src/operations/replies/replies.ts'
import { ascIdOf } from '../../src/simulate/appstoreconnect/review-id.ts'
import type { Storage } from '../../src/storage/port/storage.ts'
import { type AnswerRequest, type Ledger, officialKey } from './ledger.ts'
import type { SimulatedNode } from './node.ts'
import type { OfficialStore } from './official-store.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

/** Reading the present answer and writing another one take two requests of at most 30 seconds. */
const WRITE_MS_MAX = 65_000

export type ConnectedApp = { readonly accountId: string; readonly store: Store; readonly appId: string }

export type Writers = {
  /** A person drafts, publishes or deletes an answer, or another tool writes one in the store. */
  readonly act: (node: SimulatedNode, app: ConnectedApp) => Promise<void>
}

/** Simulated people who answer reviews. */
export function createWriters({
  ledger,
  official,
  random,
  scheduler,
}: {
  readonly ledger: Ledger
  readonly official: OfficialStore
  readonly random: Random
  readonly scheduler: Scheduler
}): Writers {
  let written = 0

  /** The review as the account sees it: as an official one, or as a public one that is linked to it. */
  async function fingerprintFor(
    node: SimulatedNode,
    { accountId, store, appId }: ConnectedApp,
    officialId: string,
  ): Promise<string> {
    const own = officialFingerprintOf(accountId, store, appId, officialId)
    if ((await node.storage.reports.review(accountId, own)) !== null) return own
    const publicId = ledger.publicIds.get(officialKey(store, appId, officialId)) ?? officialId
    return fingerprintOf(store, appId, publicId)
  }

  async function request(node: SimulatedNode, app: ConnectedApp, shownId: string): Promise<void> {
    const running = node.running()
    if (running === null) return
    const { accountId, store, appId } = app
    const officialId = store === 'apple' ? ascIdOf(appId, shownId) : shownId
    const fingerprint = await fingerprintFor(node, app, officialId)
    const operations = replyOperations({
      ...{ replies: node.storage.replies, reports: node.storage.reports, clock: running.clock },
      ...{ officialStores: [], draftReply: null, limits: { replyDraft: () => {} } },
      stopping: new AbortController().signal,
      wake: running.flow.wake,
    })
    written += 1
    const chance = random.next()
    if (chance < 0.1) {
      await operations.saveDraft(accountId, fingerprint, `Draft ${written}`)
      return
    }
    const isDeletion = chance < 0.2 && store === 'apple'
    const entry: AnswerRequest = {
      ...{ accountId, fingerprint, text: isDeletion ? null : `Answer ${written}` },
      isShown: () =>
        official.world
          .reviewsOfApp({ store, appId })
          .some(({ reviews }) => reviews.some(({ id }) => id === shownId)),
      ...{ atMs: scheduler.nowMs(), endedAtMs: null, outcome: 'unknown' },
    }
    ledger.answers.push(entry)
    try {
      if (entry.text === null) await operations.remove(accountId, fingerprint, 'person')
      else await operations.publish(accountId, fingerprint, entry.text, 'person')
      entry.outcome = 'stored'
    } catch (error) {
      if (error instanceof OperationError) entry.outcome = 'refused'
      else throw error
    } finally {
      entry.endedAtMs = scheduler.nowMs()
    }
  }

  return {
    async act(node, app) {
      const { store, appId } = app
      const shown = official.world.reviewsOfApp({ store, appId }).flatMap(({ reviews }) => reviews)
      // A few reviews get most answers, so that answers replace each other.
      const review = shown[random.below(Math.min(shown.length, 5))]
      if (review === undefined) return
      if (random.chance(0.08)) {
        written += 1
        const reply = { id: `elsewhere ${written}`, text: `Elsewhere ${written}` }
        ledger.writtenElsewhereMs.set(reply.text, scheduler.nowMs())
        official.world.official.setReply(
          { store, appId, reviewId: review.id },
          { ...reply, writtenAt: new Date(Math.floor(scheduler.nowMs())) },
        )
        return
      }
      await request(node, app, review.id)
    },
  }
}

/** Checks an answer that was written in a store. `presentText` is the answer before it. */
export function checkPublication(
  ledger: Ledger,
  text: string,
  presentText: string | null,
  nowMs: number,
): void {
  if (ledger.writtenElsewhereMs.has(text)) return
  const count = (ledger.publications.get(text) ?? 0) + 1
  ledger.publications.set(text, count)
  if (count > 1) ledger.violate('answered_twice', `${JSON.stringify(text)} was written ${count} times`)
  const request = ledger.answers.find((one) => one.text === text)
  if (request === undefined) {
    ledger.violate('phantom_answer', `nobody requested the answer ${JSON.stringify(text)}`)
    return
  }
  const elsewhereMs = ledger.writtenElsewhereMs.get(presentText ?? '')
  if (elsewhereMs === undefined || elsewhereMs < request.atMs || elsewhereMs > nowMs - WRITE_MS_MAX) return
  ledger.violate(
    'answer_overwritten',
    `${JSON.stringify(text)} replaced ${JSON.stringify(presentText)}, which was written after its request`,
  )
}

/** Answers that are not finished, or whose end is wrong. */
export async function unfinishedAnswers(ledger: Ledger, storage: Storage): Promise<string[]> {
  const left: string[] = []
  for (const request of ledger.answers) {
    if (request.outcome !== 'stored' || isReplaced(ledger, request)) continue
    const reply = await storage.replies.get(request.accountId, request.fingerprint)
    // An answer to a review that was removed before Apple published it is followed for two days.
    if (reply?.state === 'sent' && !request.isShown()) continue
    if (reply !== null && ['pending', 'sent', 'deleting'].includes(reply.state))
      left.push(`${request.text ?? 'a deletion'} is ${reply.state} (${reply.problem})`)
  }
  return left
}

/** Requests that are neither in the store nor have a reason why not. */
export async function lostAnswers(ledger: Ledger, storage: Storage): Promise<string[]> {
  const lost: string[] = []
  for (const request of ledger.answers) {
    if (request.outcome !== 'stored' || isReplaced(ledger, request)) continue
    const reply = await storage.replies.get(request.accountId, request.fingerprint)
    const problem = reply === null ? 'has no row' : problemOf(ledger, request, reply)
    if (problem !== null) lost.push(`${request.text ?? 'a deletion'} ${problem}`)
  }
  return lost
}

function problemOf(ledger: Ledger, { text, isShown }: AnswerRequest, reply: Reply): string | null {
  if (reply.state === 'refused') return reply.problem === null ? 'was refused without a reason' : null
  if (text === null) return null
  if (reply.text !== text) return `became ${JSON.stringify(reply.text)}`
  if (reply.state !== 'published' && (reply.state !== 'sent' || isShown())) return `ended as ${reply.state}`
  return ledger.publications.get(text) === 1 ? null : 'is published but was never written'
}

/** Whether another request for the same review may have come after it. */
function isReplaced(ledger: Ledger, request: AnswerRequest): boolean {
  return ledger.answers.some(
    (other) =>
      other !== request &&
      other.outcome !== 'refused' &&
      other.accountId === request.accountId &&
      other.fingerprint === request.fingerprint &&
      (other.endedAtMs === null || other.endedAtMs >= request.atMs),
  )
}
