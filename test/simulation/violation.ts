/** A guarantee of the service that a simulated run violated. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly invariant: string
  readonly facts: unknown

  constructor(invariant: string, detail: string, facts: unknown = null) {
    super(`${invariant}: ${detail}`)
    this.invariant = invariant
    this.facts = facts
  }
}
