import type { Client } from '../../client/client.ts'
import type { ReplyRow } from '../../contract/v1/replies.ts'
import type { ReviewRow } from '../../contract/v1/reviews.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { World } from '../../simulate/world.ts'
import type { ConnectedApp } from './connected-app.ts'

/** Apple takes up to a day, and is asked every five minutes. */
const PUBLISH_DELAY_MS = 0
/** The account of the demo has a limit of requests. */
const WAIT_MS = 1_000
const CANDIDATES_MAX = 3

const TEMPLATES = [
  {
    name: 'Thanks',
    language: 'en',
    text: 'Thank you, {{author}}! It is good to hear that {{app_name}} helps.',
  },
  { name: 'Danke', language: 'de', text: 'Vielen Dank, {{author}}! Es freut uns, dass {{app_name}} hilft.' },
  {
    name: 'Ask for details',
    language: 'en',
    text: 'We are sorry for the trouble, {{author}}. Which version of {{app_name}} do you use, and on which device?',
  },
] as const

const ANSWERS = {
  published: {
    fits: ({ rating }: ReviewRow) => rating >= 4,
    text: 'Thank you for the kind words! It is good to hear that the app helps.',
  },
  refused: {
    fits: ({ rating }: ReviewRow) => rating <= 2,
    text: 'We are sorry for the trouble. Which version do you use, and on which device?',
  },
} as const

type Answering = {
  readonly world: World
  /** With the scope `reply`. */
  readonly client: Client
  readonly app: ConnectedApp
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Creates templates and answers two reviews of the connected app: one is published, one refused, because the key has too small a role at
 * that moment. Then the key has its role again, so that a second attempt succeeds.
 */
export async function answerReviews(answering: Answering): Promise<void> {
  const { world, client, app } = answering
  world.official.configure({ publishDelayMs: PUBLISH_DELAY_MS })
  for (const template of TEMPLATES) await client.call('POST', '/reply-templates', { body: template })
  await answer(answering, 'published')
  const key = world.official.appleKey(app.keyId)
  if (key === null) throw new Error('the demo has no key')
  world.official.addAppleKey({ ...key, role: 'CUSTOMER_SUPPORT' })
  try {
    await answer(answering, 'refused')
  } finally {
    world.official.addAppleKey(key)
  }
}

async function answer(answering: Answering, state: keyof typeof ANSWERS): Promise<void> {
  const { client, app } = answering
  const { fits, text } = ANSWERS[state]
  const path = await repeat(answering, async () => {
    const { data } = await client.listReviews({
      store: 'apple',
      app_id: app.appId,
      language: 'en',
      limit: '50',
    })
    for (const review of data.filter(fits).slice(0, CANDIDATES_MAX)) {
      const reply = `/reviews/${review.fingerprint}/reply`
      const shown = await client.call<ReplyRow>('GET', reply)
      if (shown.obstacle === null && shown.state === 'none') return reply
    }
    return null
  })
  await client.call('PUT', path, { body: { text } })
  await repeat(answering, async () => (await client.call<ReplyRow>('GET', path)).state === state || null)
}

/** Until there is a result. Rejects when the demo ends. */
async function repeat<T>({ clock, signal }: Answering, find: () => Promise<T | null>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    const found = await find()
    if (found !== null) return found
    await clock.sleep(WAIT_MS, signal)
  }
}
