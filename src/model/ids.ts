import { randomBytes } from 'node:crypto'

/** Random bytes in an id: 160 bits cannot be guessed (docs/contract.md, Hooks). */
const ID_BYTES = 20

/** Returns `<prefix><separator><random>` in lowercase hex. Ids cannot be guessed. */
export function newId(
  prefix:
    | 'acc'
    | 'atom'
    | 'tok'
    | 'wat'
    | 'set'
    | 'rpl'
    | 'node'
    | 'lease'
    | 'inv'
    | 'con'
    | 'tpl'
    | 'bat'
    | 'not'
    | 'view',
): string {
  return `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`
}

/** The id of a hook contains its source (docs/contract.md, Hooks): `<source>-<suffix>`. */
export function newHookId(source: string): string {
  return `${source}-${randomBytes(ID_BYTES).toString('hex')}`
}
