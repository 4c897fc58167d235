/** An engine that cannot start, for tests of its worker. */
export function createEngine(): never {
  throw new Error('the tables are missing')
}
