import { randomBytes } from 'node:crypto'

/** Random bytes in an id: 160 bits, above the 120 that DESIGN 5.1 asks for. */
const ID_BYTES = 20

/** `<prefix><separator><random>`, lowercase hex; unguessable, so an id alone tells nothing. */
export function newId(prefix: 'acc' | 'tok' | 'wat' | 'rpl' | 'node' | 'lease' | 'inv'): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`
}

/** A hook's id carries where it came from: specification 2.1 (`<source>-<suffix>`). */
export function newHookId(source: string): string {
  return `${source}-${randomBytes(ID_BYTES).toString('hex')}`
}
