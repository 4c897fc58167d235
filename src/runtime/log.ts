/** The log: one wide line per action, named `noun.verb_past`, fields in snake_case with units. */
export type Log = {
  readonly debug: (event: string, fields?: Record<string, unknown>) => void
  readonly info: (event: string, fields?: Record<string, unknown>) => void
  readonly warn: (event: string, fields?: Record<string, unknown>) => void
  readonly error: (event: string, fields?: Record<string, unknown>) => void
}

const nothing = () => {}

/** Logs nothing: for tests and for commands that print only their result. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
