import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import type { Loop } from '../../runtime/loop.ts'
import type { Sealer } from '../../runtime/seal.ts'
import type { ClaimedReply, ReplyStep, ReplyStorage } from '../../storage/port/replies.ts'
import {
  type OfficialContext,
  type OfficialStore,
  openCredentials,
  SEALED_BY_ANOTHER_KEY,
} from '../appstores/official.ts'
import { afterDelete, afterQuota, afterRead, afterReply, countsForQuota } from './after-answer.ts'

export type ReplyLoopDeps = {
  readonly replies: Pick<ReplyStorage, 'claim' | 'settle' | 'nthNewestSentAt'>
  readonly officialStores: readonly OfficialStore[]
  readonly openSecret: Sealer['open']
  readonly clock: Clock
  readonly log: Log
  readonly newLease: () => string
}

export const REPLY_LOOP = 'reply'

/** The fallback when no wake arrives (due-work.ts). */
const IDLE_MS = 60_000
/** Above the requests of one answer, each with its time limit. The lease of a killed process ends after it. */
const LEASE_MS = 3 * 60_000

/**
 * Sends, deletes and follows answers to reviews, one after another. The client reads the present answer before it writes, so an
 * answer that a killed process sent is found instead of sent again.
 */
export function replyLoop(deps: ReplyLoopDeps): Loop {
  const { replies, clock, log } = deps
  return {
    name: REPLY_LOOP,
    idleMs: IDLE_MS,
    async pass(signal) {
      // One at a time: the lease of an answer that waits for another one would end before its attempt.
      const [reply] = await replies.claim({
        now: clock.now(),
        lease: deps.newLease(),
        leaseMs: LEASE_MS,
        limit: 1,
      })
      if (reply === undefined) return 'idle'
      const step = await stepOf(deps, reply, { pace: async () => !signal.aborted, signal })
      const settled = await replies.settle(reply, step, clock.now())
      log.info('reply.attempted', {
        store: reply.store,
        app_id: reply.appId,
        fingerprint: reply.fingerprint,
        before: reply.state,
        after: step.state,
        detail: step.problem,
        replaced: !settled,
      })
      return 'worked'
    },
  }
}

async function stepOf(
  deps: ReplyLoopDeps,
  claimed: ClaimedReply,
  context: OfficialContext,
): Promise<ReplyStep> {
  const { officialStores, clock, replies, log } = deps
  const opened = openCredentials(deps.openSecret, claimed.connection)
  if (opened === null) {
    log.error('official.credentials_unreadable', { connection: claimed.connection.id })
    const { shownText } = claimed
    return { state: 'refused', shownText, problem: SEALED_BY_ANOTHER_KEY, nextAt: null, isUnsent: true }
  }
  const { credentials } = opened
  const store = officialStores.find(({ kind }) => kind === credentials.kind)
  if (store === undefined) throw new Error(`There is no client for ${credentials.kind}.`)
  const { appId, reviewId, text, state } = claimed
  const query = { credentials, appId, reviewId }
  if (state === 'sent') return afterRead(claimed, await store.review(query, context), clock.now())
  if (state === 'deleting') return afterDelete(claimed, await store.deleteReply(query, context), clock.now())
  if (text === null) throw new Error('an answer without a text is pending')

  const max = store.repliesPerDayMax
  if (max !== null) {
    const fullSince = await replies.nthNewestSentAt(claimed.store, appId, max)
    if (fullSince !== null && countsForQuota(fullSince, clock.now())) {
      return afterQuota(claimed, { max, fullSince }, clock.now())
    }
  }
  const write = (replaces: string | null) => store.reply({ ...query, text, replaces }, context)
  const answer = await write(claimed.shownText)
  const { sentText } = claimed
  if (answer.kind !== 'conflict') return afterReply(claimed, answer, clock.now())
  // The store may show an earlier text of this service, whose result a killed process or a newer request lost. It compares the texts
  // itself, because Google removes tags.
  const expected = answer.reply === null ? null : sentText
  const isWrittenElsewhere = answer.reply !== null && sentText === null
  return afterReply(claimed, isWrittenElsewhere ? answer : await write(expected), clock.now())
}
