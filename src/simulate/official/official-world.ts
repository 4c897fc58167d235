import type { KeyObject } from 'node:crypto'
import type { Store } from '../../model/vocabulary.ts'

/**
 * The state of the simulated official APIs besides the reviews, which are those of the public pages: keys, replies,
 * quotas and reports. Kept in memory, without a clock.
 */

/** The roles of App Store Connect that differ for reviews. */
export type AppleRole = 'ADMIN' | 'CUSTOMER_SUPPORT' | 'APP_MANAGER' | 'DEVELOPER' | 'SALES'

export type AppleKey = {
  readonly keyId: string
  /** Null for an individual key. */
  readonly issuerId: string | null
  readonly publicKey: KeyObject
  readonly role: AppleRole
  /** The apps that it reaches; null for all. */
  readonly appIds: readonly string[] | null
}

export type ServiceAccount = {
  readonly clientEmail: string
  readonly privateKeyId: string
  readonly publicKey: KeyObject
  /** Package names with the right to reply, which is also that to read. */
  readonly appIds: readonly string[]
  /** The bucket that it may read; null for none. */
  readonly bucket: string | null
  /** Whether the API is enabled in its project. */
  readonly apiEnabled: boolean
}

export type WorldReply = {
  readonly id: string
  readonly text: string
  readonly writtenAt: Date
}

/** Details in which the stores are silent or changed over time. */
export type OfficialSettings = {
  /** The stores' clock minus the time of the request. */
  readonly clockSkewMs: number
  /** Until an answer on the App Store is published. */
  readonly publishDelayMs: number
  /** Whether an edit changes `createdDate`; unknown for the real store. */
  readonly editMovesCreatedDate: boolean
  /** Whether the Account Holder has signed the agreements. */
  readonly agreementSigned: boolean
  readonly applePerHour: number
  readonly applePerMinute: number
  readonly googleReadsPerHour: number
  readonly googleRepliesPerDay: number
  /** The form of Google's quota error: 403 until 2022, 429 in today's model. */
  readonly googleQuotaStatus: 403 | 429
  /** The form of Google's permission error: both were seen. */
  readonly googlePermissionStatus: 401 | 403
  /** The age of the newest row of a report. */
  readonly reportLagMs: number
}

const DAY_MS = 24 * 60 * 60_000

const DEFAULTS: OfficialSettings = {
  clockSkewMs: 0,
  publishDelayMs: 60_000,
  editMovesCreatedDate: false,
  agreementSigned: true,
  applePerHour: 3_600,
  applePerMinute: 300,
  googleReadsPerHour: 200,
  googleRepliesPerDay: 2_000,
  googleQuotaStatus: 429,
  googlePermissionStatus: 403,
  reportLagMs: 3 * DAY_MS,
}

type ReviewKey = { readonly store: Store; readonly appId: string; readonly reviewId: string }

/** An access token of Google. */
export type Grant = {
  readonly account: ServiceAccount
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

export type OfficialWorld = {
  readonly settings: () => OfficialSettings
  readonly configure: (change: Partial<OfficialSettings>) => void
  readonly addAppleKey: (key: AppleKey) => void
  /** Null for an unknown or revoked key. */
  readonly appleKey: (keyId: string) => AppleKey | null
  readonly revokeAppleKey: (keyId: string) => void
  readonly addServiceAccount: (account: ServiceAccount) => void
  readonly serviceAccount: (clientEmail: string) => ServiceAccount | null
  readonly removeServiceAccount: (clientEmail: string) => void
  readonly addGrant: (token: string, grant: Grant) => void
  readonly grant: (token: string) => Grant | null
  /** `null` removes the reply. */
  readonly setReply: (of: ReviewKey, reply: WorldReply | null) => void
  readonly reply: (of: ReviewKey) => WorldReply | null
  /** The reply with this id, and its review. */
  readonly replyById: (id: string) => (ReviewKey & { readonly reply: WorldReply }) | null
  /** Replaces the generated reports of a bucket by files. */
  readonly setReport: (bucket: string, name: string, content: Buffer) => void
  readonly reports: (bucket: string) => ReadonlyMap<string, Buffer>
  /** Counts a use of `key`. Returns the uses within `windowMs` before `at`, this one included. */
  readonly count: (key: string, windowMs: number, at: Date) => number
}

export function createOfficialWorld(): OfficialWorld {
  let settings = DEFAULTS
  const appleKeys = new Map<string, AppleKey>()
  const accounts = new Map<string, ServiceAccount>()
  const grants = new Map<string, Grant>()
  const replies = new Map<string, ReviewKey & { readonly reply: WorldReply }>()
  const reports = new Map<string, Map<string, Buffer>>()
  const uses = new Map<string, number[]>()
  const keyOf = ({ store, appId, reviewId }: ReviewKey) => `${store}/${appId}/${reviewId}`
  return {
    settings: () => settings,
    configure: (change) => {
      settings = { ...settings, ...change }
    },
    addAppleKey: (key) => {
      appleKeys.set(key.keyId, key)
    },
    appleKey: (keyId) => appleKeys.get(keyId) ?? null,
    revokeAppleKey: (keyId) => {
      appleKeys.delete(keyId)
    },
    addServiceAccount: (account) => {
      accounts.set(account.clientEmail, account)
    },
    serviceAccount: (clientEmail) => accounts.get(clientEmail) ?? null,
    removeServiceAccount: (clientEmail) => {
      accounts.delete(clientEmail)
    },
    addGrant: (token, grant) => {
      grants.set(token, grant)
    },
    grant: (token) => grants.get(token) ?? null,
    setReply: (of, reply) => {
      if (reply === null) replies.delete(keyOf(of))
      else replies.set(keyOf(of), { ...of, reply })
    },
    reply: (of) => replies.get(keyOf(of))?.reply ?? null,
    replyById: (id) => [...replies.values()].find(({ reply }) => reply.id === id) ?? null,
    setReport: (bucket, name, content) => {
      const files = reports.get(bucket) ?? new Map<string, Buffer>()
      reports.set(bucket, files.set(name, content))
    },
    reports: (bucket) => reports.get(bucket) ?? new Map(),
    count: (key, windowMs, at) => {
      const since = at.getTime() - windowMs
      const times = [...(uses.get(key) ?? []).filter((time) => time > since), at.getTime()]
      uses.set(key, times)
      return times.length
    },
  }
}
