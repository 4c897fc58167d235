export type TokenScope = 'read' | 'hooks' | 'operate' | 'reply'

/** The account of the token. */
export type Me = {
  readonly account_id: string
  readonly account_name: string
  readonly token_id: string
  readonly token_name: string
  readonly token_scopes: readonly TokenScope[]
  /** Null if the token does not expire. */
  readonly token_expires_at: string | null
}

/** An API token of the account, without its value. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly created_at: string
  /** Null if the token does not expire. */
  readonly expires_at: string | null
  /** With a precision of one minute. */
  readonly last_used_at: string | null
  /** Network of the last client, such as 203.0.113.0/24. */
  readonly last_used_network: string | null
}
