import { hash } from 'node:crypto'

/** A value in the form of `writtenAs` and `readBack`, which is equal for both engines. */
export type Comparable = null | number | string | boolean

/** The sum of the rows' hashes modulo 2^64, which does not depend on the order of rows. */
export class Checksum {
  #sum = 0n
  #rows = 0

  add(row: readonly Comparable[]): void {
    this.#sum = BigInt.asUintN(
      64,
      this.#sum + hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64LE(),
    )
    this.#rows += 1
  }

  get rows(): number {
    return this.#rows
  }

  equals(other: Checksum): boolean {
    return this.#sum === other.#sum && this.#rows === other.#rows
  }
}
