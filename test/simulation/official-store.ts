import { generateKeyPairSync } from 'node:crypto'
import type { Store } from '../../src/model/vocabulary.ts'
import type { SealedCredentials } from '../../src/pipeline/appstores/official.ts'
import type { SimulatedAnswer, SimulatedRequest } from '../../src/simulate/answer.ts'
import { handleAppStoreConnect } from '../../src/simulate/appstoreconnect/appstoreconnect.ts'
import { ascIdOf } from '../../src/simulate/appstoreconnect/review-id.ts'
import { handleGooglePlayDeveloper } from '../../src/simulate/googleplay-developer/googleplay-developer.ts'
import { createWorld, type World, type WorldReview } from '../../src/simulate/world.ts'
import { checkPublication } from './answers.ts'
import { type Ledger, officialKey, publicIdOf } from './ledger.ts'
import type { ConnectionsPlan } from './plan.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'

export const OFFICIAL_URLS = { apple: 'https://connect.test', google: 'https://play-developer.test' } as const

type Place = { readonly store: Store; readonly appId: string; readonly market: string }

/** Official APIs of both stores. They show the reviews of the public pages with their own lag. */
export type OfficialStore = {
  readonly world: World
  /** Each change of a public review, in its order. */
  readonly reviews: Pick<World, 'addApp' | 'addReview' | 'editReview' | 'removeReview'>
  readonly handle: (store: Store, request: SimulatedRequest) => SimulatedAnswer
  /** Records in plans with an outage that the answer arrived. */
  readonly arrived: (request: SimulatedRequest, answer: SimulatedAnswer) => void
  /** The credentials of an account, which reach all apps. */
  readonly credentialsOf: (accountId: string, store: Store, appIds: readonly string[]) => SealedCredentials
}

/** The longest time by which the official API shows a change after the public pages. */
export const OFFICIAL_LAG_MS_MAX = 45_000

/** A request for the reviews that Google lists. */
const LIST = /\/applications\/([^/]+)\/reviews\?/

/** Creating keys takes longer than a run. They have no influence on it. */
let keys: ReturnType<typeof createKeys> | null = null
function createKeys() {
  return {
    apple: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    google: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  }
}

export function createOfficialStore(deps: {
  readonly plan: ConnectionsPlan
  readonly ledger: Ledger
  readonly scheduler: Scheduler
  readonly random: Random
  /** A deliberate defect: reads of one review show no answer. */
  readonly hidesAnswers: boolean
}): OfficialStore {
  const { plan, ledger, scheduler, random } = deps
  const base = createWorld()
  const world: World = {
    ...base,
    official: {
      ...base.official,
      setReply(of, reply) {
        const present = base.official.reply(of)?.text ?? null
        if (reply !== null) checkPublication(ledger, reply.text, present, scheduler.nowMs())
        base.official.setReply(of, reply)
      },
    },
  }
  world.official.configure({
    applePerHour: 1e9,
    applePerMinute: 1e9,
    googleReadsPerHour: 1e9,
    publishDelayMs: plan.publishDelayMs,
    editMovesCreatedDate: plan.editMovesDate,
  })
  /** When the last change of each review is shown, so that no change overtakes another. */
  const shownAtMs = new Map<string, number>()
  const idOf = (store: Store, reviewId: string) =>
    plan.idsMatch ? reviewId : `${store === 'apple' ? 'x' : 'gp:'}${reviewId}`
  const later = (reviewId: string, change: () => void) => {
    const lagMs = random.chance(0.5) ? 0 : random.between(0, OFFICIAL_LAG_MS_MAX)
    const atMs = Math.max(scheduler.nowMs() + lagMs, shownAtMs.get(reviewId) ?? 0)
    shownAtMs.set(reviewId, atMs)
    if (atMs <= scheduler.nowMs()) change()
    else scheduler.at(atMs, change)
  }
  return {
    world,
    reviews: {
      addApp: world.addApp,
      addReview(place: Place, review: Omit<WorldReview, 'editedAt' | 'history'>) {
        const id = idOf(place.store, review.id)
        const officialId = place.store === 'apple' ? ascIdOf(place.appId, id) : id
        ledger.publicIds.set(officialKey(place.store, place.appId, officialId), review.id)
        later(review.id, () => world.addReview(place, { ...review, id }))
      },
      editReview(where, change, at) {
        const reviewId = idOf(where.store, where.reviewId)
        later(where.reviewId, () => world.editReview({ ...where, reviewId }, change, at))
      },
      removeReview(where) {
        const reviewId = idOf(where.store, where.reviewId)
        later(where.reviewId, () => world.removeReview({ ...where, reviewId }))
      },
    },
    handle(store, request) {
      const answer =
        store === 'apple' ? handleAppStoreConnect(world, request) : handleGooglePlayDeveloper(world, request)
      return deps.hidesAnswers && request.method === 'GET' ? withoutAnswers(answer) : answer
    },
    arrived(request, answer) {
      const listed = plan.outage === null || answer.status !== 200 ? null : LIST.exec(request.url)
      if (listed === null) return
      const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
      const accountId = world.official.grant(token)?.account.clientEmail.split('@', 1)[0] ?? ''
      const appId = decodeURIComponent(listed[1] ?? '')
      const reviewIds = idsIn(String(answer.body)).map((id) => publicIdOf(ledger, 'google', appId, id))
      ledger.listings.push({ accountId, appId, atMs: scheduler.nowMs(), reviewIds })
    },
    credentialsOf(accountId, store, appIds) {
      keys ??= createKeys()
      const pem = (kind: Store) => String(keys?.[kind].privateKey.export({ type: 'pkcs8', format: 'pem' }))
      if (store === 'apple') {
        const keyId = `KEY${accountId.replace(/\D/g, '').padStart(7, '0')}`
        const key = { keyId, issuerId: '57246542-96fe-1a63-e053-0824d011072a' }
        world.official.addAppleKey({ ...key, publicKey: keys.apple.publicKey, role: 'ADMIN', appIds: null })
        return { credentials: { kind: 'appstoreconnect', ...key, privateKey: pem('apple') }, appIds }
      }
      const clientEmail = `${accountId}@example.iam.gserviceaccount.com`
      const shared = { clientEmail, privateKeyId: 'key' }
      const rights = { appIds, bucket: null, apiEnabled: true }
      world.official.addServiceAccount({ ...shared, publicKey: keys.google.publicKey, ...rights })
      return {
        credentials: {
          ...{ kind: 'googleplay-developer', ...shared, privateKey: pem('google'), reportsBucket: null },
        },
        appIds,
      }
    },
  }
}

/** The ids of a list of Google's official API; none in an answer of another format. */
function idsIn(body: string): string[] {
  try {
    const { reviews = [] } = JSON.parse(body) as { readonly reviews?: readonly { reviewId: string }[] }
    return reviews.map(({ reviewId }) => reviewId)
  } catch {
    return []
  }
}

/** The answer of a store that shows no answers of developers. */
function withoutAnswers(answer: SimulatedAnswer): SimulatedAnswer {
  if (typeof answer.body !== 'string' || !answer.body.startsWith('{')) return answer
  const hidden = JSON.stringify(JSON.parse(answer.body), (key, value) => {
    if (key === 'included') return []
    if (key === 'response') return { ...value, data: null }
    if (key === 'comments')
      return (value as readonly object[]).filter((comment) => !('developerComment' in comment))
    return value
  })
  return { ...answer, body: hidden }
}
