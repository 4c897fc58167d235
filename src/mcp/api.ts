/** A call of the REST API, with the rights of one token. The API checks every value. */
export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The path below `/api/v1`. */
  readonly path: string
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: object
}

export type ApiAnswer =
  | { readonly ok: true; readonly body: unknown }
  /** The `error` is a sentence for the user. */
  | { readonly ok: false; readonly error: string }

/** Calls the API once. Rejects only for internal errors. */
export type Api = (call: ApiCall) => Promise<ApiAnswer>
