import type { Storage } from '../port/storage.ts'

/** How a suite gets storage. The caller closes it: `await using storage = await engine.open()`. */
export type OpenStorage = () => Promise<Storage>

/**
 * An engine under test. `open` creates an empty database for each test. `openAgain` opens another connection to the
 * database that `open` created last, like another process.
 */
export type Engine = {
  readonly open: OpenStorage
  readonly openAgain: OpenStorage
}
