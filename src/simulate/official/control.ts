import { z } from 'zod'
import { STORES } from '../../model/vocabulary.ts'
import type { World } from '../world.ts'
import { createAppleKey, createServiceAccount } from './connect.ts'
import type { OfficialSettings } from './official-world.ts'

/** The bodies and actions of the control API (`server-control.ts`) for the official APIs. */

const BUCKET = 'pubsite_prod_rev_01234567890123456789'

const store = z.enum(STORES)
const text = z.string().min(1)
const count = z.int().min(0)

export const OFFICIAL_BODIES = {
  connect: z.strictObject({
    store,
    /** All apps by default. */
    app_ids: z.array(text).optional(),
    /** Of a key of App Store Connect. */
    role: z.enum(['ADMIN', 'CUSTOMER_SUPPORT', 'APP_MANAGER', 'DEVELOPER', 'SALES']).default('ADMIN'),
    /** App Store Connect: a key of a user, which has no issuer. */
    individual: z.boolean().default(false),
    /** Google Play: whether the API is enabled in the project of the service account. */
    api_enabled: z.boolean().default(true),
  }),
  /** `key`: Apple's key id, or Google's `client_email`. */
  revoke: z.strictObject({ store, key: text }),
  /** An answer that another tool writes, or removes with null. */
  reply: z.strictObject({ store, app_id: text, review_id: text, text: text.nullable() }),
  settings: z.strictObject({
    clock_skew_ms: z.int().optional(),
    publish_delay_ms: count.optional(),
    edit_moves_created_date: z.boolean().optional(),
    agreement_signed: z.boolean().optional(),
    apple_per_hour: count.optional(),
    apple_per_minute: count.optional(),
    google_reads_per_hour: count.optional(),
    google_replies_per_day: count.optional(),
    google_quota_status: z.literal([403, 429]).optional(),
    google_permission_status: z.literal([401, 403]).optional(),
    report_lag_ms: count.optional(),
  }),
} as const

type Body<Name extends keyof typeof OFFICIAL_BODIES> = z.infer<(typeof OFFICIAL_BODIES)[Name]>

/** Creates credentials, in the form in which the stores give them out. */
export function connect(world: World, input: Body<'connect'>): object {
  const appIds = input.app_ids ?? world.apps(input.store).map(({ appId }) => appId)
  if (input.store === 'google') {
    const options = { appIds, bucket: BUCKET, apiEnabled: input.api_enabled }
    return { service_account: createServiceAccount(world, options), reports_bucket: BUCKET }
  }
  const { role, individual } = input
  const { issuerId, keyId, privateKey } = createAppleKey(world, { role, appIds, individual })
  return { issuer_id: issuerId, key_id: keyId, private_key: privateKey }
}

export function revoke({ official }: World, { store: of, key }: Body<'revoke'>): void {
  if (of === 'apple') official.revokeAppleKey(key)
  else official.removeServiceAccount(key)
}

/** False when the store has no such review. `review_id` is that of the public pages. */
export function writeReply(
  world: World,
  { store: of, app_id, review_id, text }: Body<'reply'>,
  at: Date,
): boolean {
  const app = { store: of, appId: app_id }
  const isThis = ({ id }: { readonly id: string }) => id === review_id
  if (!world.reviewsOfApp(app).some(({ reviews }) => reviews.some(isThis))) return false
  const reply = text === null ? null : { id: `other-tool-${review_id}`, text, writtenAt: at }
  world.official.setReply({ ...app, reviewId: review_id }, reply)
  return true
}

export function configure({ official }: World, input: Body<'settings'>): void {
  const change: { -readonly [Name in keyof OfficialSettings]: OfficialSettings[Name] | undefined } = {
    clockSkewMs: input.clock_skew_ms,
    publishDelayMs: input.publish_delay_ms,
    editMovesCreatedDate: input.edit_moves_created_date,
    agreementSigned: input.agreement_signed,
    applePerHour: input.apple_per_hour,
    applePerMinute: input.apple_per_minute,
    googleReadsPerHour: input.google_reads_per_hour,
    googleRepliesPerDay: input.google_replies_per_day,
    googleQuotaStatus: input.google_quota_status,
    googlePermissionStatus: input.google_permission_status,
    reportLagMs: input.report_lag_ms,
  }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  official.configure(Object.fromEntries(given))
}
