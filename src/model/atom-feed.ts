import type { AppKey } from './hook.ts'

/** An address that shows the reviews of one app to whoever has it, until it is revoked. */
export type AtomFeed = AppKey & {
  readonly id: string
  readonly accountId: string
  readonly createdAt: Date
}
