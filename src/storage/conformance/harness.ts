import type { Storage } from '../port/storage.ts'

/** How a suite gets storage. The caller closes it: `await using storage = await engine.open()`. */
export type OpenStorage = () => Promise<Storage>

/**
 * What an engine gives the conformance suites. `open` gives an empty database of its own for each test;
 * `openAgain` another connection to the one that `open` gave last, as another process would have it.
 */
export type Engine = {
  readonly open: OpenStorage
  readonly openAgain: OpenStorage
}
