import type { Store } from './vocabulary.ts'

/** Official interfaces of the stores that a connection has credentials for. */
export const CONNECTION_KINDS = ['appstoreconnect', 'googleplay-developer'] as const
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

/** More than an organization has keys. */
export const CONNECTIONS_MAX = 20
/** Package names of one Google Play connection. A test asks the store for each. */
export const CONNECTION_APPS_MAX = 50

export function storeOfConnection(kind: ConnectionKind): Store {
  return kind === 'appstoreconnect' ? 'apple' : 'google'
}

/** An app that the credentials reach. */
export type ConnectedApp = {
  readonly appId: string
  /** Null for Google, which has no list of apps. */
  readonly name: string | null
  /** Apple's bundle id; null for Google. */
  readonly bundleId: string | null
}

export const RIGHTS = ['granted', 'denied', 'unknown'] as const
/** `unknown`: only the first use shows it. */
export type Right = (typeof RIGHTS)[number]

/** What the last test of the credentials found. */
export type ConnectionCheck = {
  readonly at: Date
  /** Those of the last successful test. */
  readonly apps: readonly ConnectedApp[]
  readonly rights: { readonly readReviews: Right; readonly reply: Right; readonly history: Right }
  /** Sentences about things that work less than they could, such as an app that the credentials do not reach. */
  readonly warnings: readonly string[]
  /** A sentence; null when the test succeeded. */
  readonly problem: string | null
}

/** The credentials of an account for the official interface of a store. */
export type StoreConnection = {
  readonly id: string
  readonly accountId: string
  readonly kind: ConnectionKind
  readonly name: string
  /** Identifies the credentials without revealing them: Apple's key id, or the address of a service account. */
  readonly subject: string
  /** The credentials as JSON, sealed for `connectionSealOf`. */
  readonly credentials: string
  readonly createdAt: Date
  /** The last replacement of the credentials; null before the first one. */
  readonly rotatedAt: Date | null
  readonly check: ConnectionCheck
}

/** The context for which the credentials of a connection are sealed. */
export function connectionSealOf({ id, accountId }: Pick<StoreConnection, 'id' | 'accountId'>): string {
  return `store connection ${accountId} ${id}`
}
