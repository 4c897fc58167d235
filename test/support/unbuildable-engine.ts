/** An engine that cannot be built: for tests of the worker that would hold it. */
export function createEngine(): never {
  throw new Error('the tables are missing')
}
