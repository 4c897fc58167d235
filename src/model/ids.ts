import { randomBytes } from 'node:crypto'

/** Random bytes in an id: 160 bits, more than can be guessed (docs/contract.md, Hooks). */
const ID_BYTES = 20

/** `<prefix><separator><random>`, lowercase hex; unguessable, so an id alone reveals nothing. */
export function newId(prefix: 'acc' | 'tok' | 'wat' | 'rpl' | 'node' | 'lease' | 'inv'): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`
}

/** A hook's id contains its source: docs/contract.md, Hooks (`<source>-<suffix>`). */
export function newHookId(source: string): string {
  return `${source}-${randomBytes(ID_BYTES).toString('hex')}`
}
