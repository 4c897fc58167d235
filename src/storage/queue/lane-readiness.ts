import type { Allocation } from '../port/deliveries.ts'

/**
 * Whether a lane may have more due deliveries, without a query: it had as many as the claim allowed, or its slots are
 * in use.
 */
export function mayHaveMore({ take, notBefore }: Allocation, given: number, room: number): boolean {
  return given > 0 ? given === Math.min(take, room) : take === 0 && notBefore === null
}
