import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

/** Crockford's base 32: nothing that reads like something else. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_CHARS = 4

/** 100 random bits a person can copy from a log: `K7QF-2M9D-…`. */
export function newSetupCode(): string {
  const group = () =>
    Array.from({ length: GROUP_CHARS }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Whether `given` is the code, however its letters, dashes and spaces were typed. In constant time. */
export function isSetupCode(given: string, code: string): boolean {
  return timingSafeEqual(digest(given), digest(code))
}

function digest(code: string): Buffer {
  return createHash('sha256').update(code.toUpperCase().replace(/[\s-]/g, '')).digest()
}
