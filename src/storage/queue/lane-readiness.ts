import type { Allocation } from '../port/deliveries.ts'

/**
 * Whether a lane may have more due deliveries, without reading it: it gave as many as the claim allowed, or its slots are
 * taken.
 */
export function mayHaveMore({ take, notBefore }: Allocation, given: number, room: number): boolean {
  return given > 0 ? given === Math.min(take, room) : take === 0 && notBefore === null
}
