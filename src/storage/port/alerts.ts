import type {
  Alert,
  AlertCause,
  AlertChannel,
  AlertCondition,
  AlertKind,
  AlertSettings,
} from '../../model/alert.ts'

/** The last alert of a cause. */
export type LastAlert = AlertCause & { readonly since: Date; readonly createdAt: Date }

/** An alert on its way through one channel. */
export type ClaimedAlert = {
  readonly seq: number
  readonly lease: string
  readonly channel: AlertChannel
  readonly attempts: number
  readonly alert: Alert
  readonly settings: AlertSettings
}

export type AlertStep =
  | { readonly status: 'sent' }
  | { readonly status: 'pending'; readonly dueAt: Date; readonly problem: string }
  | { readonly status: 'failed'; readonly problem: string }

/** An alert as people see it: one line for each channel. */
export type AlertView = {
  readonly seq: number
  readonly channel: AlertChannel
  readonly kind: AlertKind
  readonly title: string
  readonly createdAt: Date
  readonly status: AlertStep['status']
  readonly attempts: number
  /** What went wrong last; null if nothing did. */
  readonly problem: string | null
}

export type AlertStorage = {
  readonly settings: (accountId: string) => Promise<AlertSettings | null>
  readonly saveSettings: (settings: AlertSettings) => Promise<void>
  /** What accounts with alerts could be alerted of now, and the last alert of every cause. */
  readonly observe: () => Promise<{
    readonly conditions: readonly AlertCondition[]
    readonly last: readonly LastAlert[]
  }>
  /**
   * Queues alerts, one row for each channel that the account has then. Left out: an alert that exists, one whose cause had an
   * alert after `notAfter` (null: none is left out for that), and those of accounts that switched alerts off, but for a test. Returns how many
   * alerts were queued. Two nodes that queue the same alert queue it once.
   */
  readonly create: (alerts: readonly Alert[], now: Date, notAfter: Date | null) => Promise<number>
  /** Leases due alerts, oldest due first, with the settings of their accounts as they are now. */
  readonly claim: (now: Date, lease: string, leaseMs: number, limit: number) => Promise<ClaimedAlert[]>
  /** Nothing happens when the lease was lost. */
  readonly settle: (claimed: ClaimedAlert, step: AlertStep) => Promise<void>
  /** Newest first. */
  readonly list: (accountId: string, limit: number) => Promise<AlertView[]>
}
