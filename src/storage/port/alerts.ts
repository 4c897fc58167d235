import type {
  Alert,
  AlertCause,
  AlertChannel,
  AlertCondition,
  AlertKind,
  AlertLink,
  AlertSettings,
} from '../../model/alert.ts'
import type { Instant, WithInstants } from '../../runtime/instant.ts'

/** The last alert of a cause. */
export type LastAlert = AlertCause & { readonly since: Date; readonly createdAt: Date }

/** An alert claimed for sending through one channel. */
export type ClaimedAlert = {
  readonly seq: number
  readonly lease: string
  readonly channel: AlertChannel
  readonly attempts: number
  /** Recipients that have accepted the mail so far. */
  readonly acceptedBy: readonly string[]
  readonly alert: Alert
  readonly settings: AlertSettings
}

/** What an attempt leads to. A sent mail has a problem when some of its recipients were rejected for good. */
export type AlertStep =
  | { readonly status: 'sent'; readonly problem: string | null }
  | { readonly status: 'pending'; readonly dueAt: Instant; readonly problem: string }
  | { readonly status: 'failed'; readonly problem: string }

/** An alert as users see it: one row per channel. */
export type AlertView = {
  readonly seq: number
  readonly channel: AlertChannel
  readonly kind: AlertKind
  readonly title: string
  readonly createdAt: Date
  readonly status: AlertStep['status']
  readonly attempts: number
  /** The last error; null without one. */
  readonly problem: string | null
}

export type AlertStorage = {
  readonly settings: (accountId: string) => Promise<AlertSettings | null>
  /**
   * Of `emails`, those that are stored at the commit stay as they are, and the others are as `newOnesAre`. Recipients are compared by
   * `recipientIdOf`. Who unsubscribed stays so. Returns whether `newSecret` is stored: only when there is no secret.
   */
  readonly saveSettings: (
    settings: Pick<AlertSettings, 'accountId' | 'enabled' | 'emails' | 'webhookUrl'> & {
      readonly newOnesAre: 'confirmed' | 'unconfirmed'
      /** Sealed with `alertSealOf`; null: no new one. */
      readonly newSecret: string | null
    },
  ) => Promise<boolean>
  /** The secret of the webhook, sealed with `alertSealOf`. */
  readonly saveSecret: (accountId: string, webhookSecret: string) => Promise<void>
  /** Does what the link of a mail says. Returns the address; null when nothing changed (`withAlertLink`). */
  readonly followLink: (accountId: string, link: WithInstants<AlertLink>) => Promise<string | null>
  /** The conditions at that time of accounts with alerts, and the last alert of every cause. */
  readonly observe: (now: Instant) => Promise<{
    readonly conditions: readonly AlertCondition[]
    readonly last: readonly LastAlert[]
  }>
  /**
   * Queues alerts, one row for each current channel of the account, and returns how many it queued. It skips an alert
   * that exists, an alert whose cause had one after `notAfter` (null: no such check), and all except tests for accounts
   * that switched alerts off. When two nodes queue the same alert, it is queued once.
   */
  readonly create: (alerts: readonly Alert[], now: Instant, notAfter: Instant | null) => Promise<number>
  /** Leases due alerts, oldest due first, with the current settings of their accounts. */
  readonly claim: (now: Instant, lease: string, leaseMs: number, limit: number) => Promise<ClaimedAlert[]>
  /** `claimed.acceptedBy` is stored too. Does nothing when the lease was lost. */
  readonly settle: (claimed: ClaimedAlert, step: AlertStep) => Promise<void>
  /** Newest first. */
  readonly list: (accountId: string, limit: number) => Promise<AlertView[]>
}
