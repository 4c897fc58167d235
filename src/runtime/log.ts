/** What every part may log: one wide line per thing done, named `noun.verb_past`, fields snake_case with units. */
export type Log = {
  readonly debug: (event: string, fields?: Record<string, unknown>) => void
  readonly info: (event: string, fields?: Record<string, unknown>) => void
  readonly warn: (event: string, fields?: Record<string, unknown>) => void
  readonly error: (event: string, fields?: Record<string, unknown>) => void
}

const nothing = () => {}

/** Says nothing: for tests and for commands whose output is their answer. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }
