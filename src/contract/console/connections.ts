import { z } from 'zod'
import type { HistoryState } from '../../model/review-history.ts'
import { CONNECTION_KINDS, type ConnectionKind, type Right } from '../../model/store-connection.ts'
import type { Store, Storefront } from '../../model/vocabulary.ts'

const KEY_CHARS_MAX = 20_000

const shortText = (field: string) =>
  z
    .string({ error: `${field}: text or null` })
    .max(255, `${field}: at most 255 characters`)
    .nullish()
const keyText = (field: string) =>
  z
    .string({ error: `${field}: text or null` })
    .max(KEY_CHARS_MAX, `${field}: at most ${KEY_CHARS_MAX} characters`)
    .nullish()

/** `PUT /api/console/stores/:id/credentials` */
export const CredentialsBody = z.object({
  kind: z.enum(CONNECTION_KINDS, { error: 'kind: App Store Connect or Google Play' }),
  issuerId: shortText('issuerId'),
  keyId: shortText('keyId'),
  privateKey: keyText('privateKey'),
  serviceAccount: keyText('serviceAccount'),
  reportsBucket: shortText('reportsBucket'),
  appIds: z
    .array(z.string().max(255, 'appIds: at most 255 characters each'), { error: 'appIds: a list' })
    .nullish(),
})
export type CredentialsBody = z.infer<typeof CredentialsBody>

/** `POST /api/console/stores` */
export const NewConnectionBody = CredentialsBody.extend({
  name: z.string({ error: 'name: text' }).max(100, 'name: at most 100 characters').optional(),
})
export type NewConnectionBody = z.infer<typeof NewConnectionBody>

/** `PATCH /api/console/stores/:id` */
export const ConnectionChangeBody = z.object({
  name: NewConnectionBody.shape.name,
  appIds: z.array(z.string().max(255), { error: 'appIds: a list' }).optional(),
  reportsBucket: shortText('reportsBucket'),
})
export type ConnectionChangeBody = z.infer<typeof ConnectionChangeBody>

/** `GET /api/console/stores`, oldest first. */
export type ConnectionLine = {
  readonly id: string
  readonly kind: ConnectionKind
  readonly store: Store
  readonly name: string
  readonly subject: string
  readonly createdAt: string
  readonly rotatedAt: string | null
  readonly checkedAt: string
  readonly problem: string | null
  readonly warnings: readonly string[]
  readonly rights: { readonly readReviews: Right; readonly reply: Right; readonly history: Right }
  readonly apps: readonly {
    readonly appId: string
    readonly name: string | null
    readonly bundleId: string | null
    /** Empty for an app that the account does not track. */
    readonly storefronts: readonly Storefront[]
    /** The connection from which the account's reviews of the app come; null: the public pages. */
    readonly sourceConnectionId: string | null
    /** Null: the account's reviews of the app do not come from this connection. */
    readonly source: {
      readonly state: 'switching' | 'official'
      readonly since: string
      readonly lastOkAt: string | null
      readonly problem: string | null
    } | null
    /** The history import: all reviews that the store has; null if none was started. */
    readonly history: {
      readonly state: HistoryState
      readonly reviews: number
      readonly added: number
      /** Null until the store says how much there is. */
      readonly percent: number | null
      readonly problem: string | null
    } | null
  }[]
}
