import type { Allotment } from './port/deliveries.ts'

/**
 * Whether a lane may have more to give now, without a look: it gave as many as a claim with that much room asked for, or nothing
 * was asked because its slots are taken.
 */
export function mayGiveMore({ take, notBefore }: Allotment, given: number, room: number): boolean {
  return given > 0 ? given === Math.min(take, room) : take === 0 && notBefore === null
}
