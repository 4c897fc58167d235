import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addReviews, GOOGLE_APP, startOfficialStores } from '../../../test/support/official-stores.ts'
import { silentLog } from '../../runtime/log.ts'
import type { ClaimedReply, ReplyStep } from '../../storage/port/replies.ts'
import { replyLoop } from './reply-loop.ts'

const BEFORE = { state: 'pending', shownText: null, attempts: 2, nextAttemptAt: null } as const

/** One attempt on Google Play, whose review has the answer `shown`. */
async function attempt(shown: string, { text, sentText }: Pick<ClaimedReply, 'text' | 'sentText'>) {
  await using stores = await startOfficialStores()
  const { world, clock, google } = stores
  const place = { store: 'google', appId: GOOGLE_APP, market: 'en' } as const
  const [reviewId = ''] = addReviews(world, place, 1, { now: clock.now() })
  world.official.setReply({ ...place, reviewId }, { id: 'r', text: shown, writtenAt: clock.now() })
  const sealed = { credentials: stores.googleCredentials({ appIds: [GOOGLE_APP] }), appIds: [GOOGLE_APP] }
  const claimed: ClaimedReply = {
    ...{
      ...BEFORE,
      text,
      sentText,
      accountId: 'alice',
      fingerprint: 'f',
      store: 'google',
      appId: GOOGLE_APP,
    },
    ...{
      reviewId,
      draft: null,
      problem: null,
      author: 'Ann',
      requestedAt: clock.now(),
      updatedAt: clock.now(),
      undoUntil: null,
    },
    lease: 'l',
    connection: { id: 'c', accountId: 'alice', kind: 'googleplay-developer', credentials: 'sealed' },
  }
  const steps: ReplyStep[] = []
  const loop = replyLoop({
    replies: {
      claim: async () => (steps.length === 0 ? [claimed] : []),
      settle: async (_, step) => steps.push(step) > 0,
      nthNewestSentAt: async () => null,
    },
    officialStores: [google],
    openSecret: () => JSON.stringify(sealed),
    clock,
    log: silentLog,
    newLease: () => 'l',
  })
  await loop.pass(new AbortController().signal)
  return { step: steps[0], shown: world.official.reply({ ...place, reviewId })?.text }
}

test('an own answer whose result was lost is replaced by a newer one, although Google removed its tags', async () => {
  const { step, shown } = await attempt('Hello', { sentText: '<b>Hello</b>', text: 'Hello again' })
  assert.deepEqual([step?.state, step?.shownText, shown], ['published', 'Hello again', 'Hello again'])
})

test('an answer that another tool wrote meanwhile is not replaced', async () => {
  for (const sentText of [null, 'Something else']) {
    const { step, shown } = await attempt('By hand', { sentText, text: 'Hello' })
    assert.equal(step?.state, 'refused')
    assert.match(step?.problem ?? '', /written elsewhere/)
    assert.equal(shown, 'By hand')
  }
})
