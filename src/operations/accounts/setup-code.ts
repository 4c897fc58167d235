import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import type { MaintenanceStorage } from '../../storage/port/maintenance.ts'

const MARK = 'setup_code'

/** Crockford's base 32, which has no ambiguous characters. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 5
const GROUP_CHARS = 4

/** A code of 100 random bits that a person can copy from a log: `K7QF-2M9D-…`. */
export function newSetupCode(): string {
  return randomCode(GROUPS, GROUP_CHARS)
}

/** The setup code, which is stored so that every node logs the same code at every start. */
export function setupCodeOf(maintenance: Pick<MaintenanceStorage, 'getOrCreate'>): Promise<string> {
  return maintenance.getOrCreate(MARK, newSetupCode())
}

/** Groups of random letters and digits with dashes between them; five bits each. */
export function randomCode(groups: number, groupChars: number): string {
  const group = () =>
    Array.from({ length: groupChars }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Whether `given` is the code, ignoring case, dashes and spaces. Takes constant time. */
export function isSetupCode(given: string, code: string): boolean {
  return timingSafeEqual(digest(given), digest(code))
}

function digest(code: string): Buffer {
  return createHash('sha256').update(code.toUpperCase().replace(/[\s-]/g, '')).digest()
}
