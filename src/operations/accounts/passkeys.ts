import type { Clock } from '../../runtime/clock.ts'
import { OperationError } from '../error.ts'
import { nameOf } from './names.ts'
import type { NewPasskey, Passkey, UserStore } from './users.ts'

export type PasskeyDeps = { readonly users: () => Promise<UserStore>; readonly clock: Clock }

/** Passkeys of a user. */
export type PasskeyOperations = {
  /** Oldest first. */
  readonly list: (userId: string) => Promise<Passkey[]>
  /**
   * Throws `forbidden` unless the session began a short time ago: a forgotten browser must not give lasting access. `conflict` for a user
   * with `PASSKEYS_MAX`.
   */
  readonly checkAdd: (userId: string, sessionId: string | null) => Promise<void>
  /** Throws as `checkAdd`, `conflict` for a passkey that a user already has, and `invalid` for the name. */
  readonly add: (userId: string, sessionId: string | null, passkey: NewPasskey) => Promise<Passkey>
  /** Throws `not_found`, and `invalid` for the name. */
  readonly rename: (userId: string, id: string, name: string) => Promise<Passkey>
  /** Throws `not_found`. */
  readonly remove: (userId: string, id: string) => Promise<void>
}

const PASSKEYS_MAX = 20
const FRESH_MS = 15 * 60_000

export function passkeyOperations({ users, clock }: PasskeyDeps): PasskeyOperations {
  const find = async (userId: string, id: string): Promise<Passkey> => {
    const passkey = (await (await users()).passkeys(userId)).find((each) => each.id === id)
    if (passkey !== undefined) return passkey
    throw new OperationError('not_found', 'You have no passkey with this id.')
  }

  const checkAdd: PasskeyOperations['checkAdd'] = async (userId, sessionId) => {
    const store = await users()
    const session = (await store.sessions(userId)).find(({ id }) => id === sessionId)
    if (session === undefined || clock.now().getTime() - session.signedInAt.getTime() > FRESH_MS) {
      throw new OperationError(
        'forbidden',
        'To add a passkey, sign out and in again: your sign-in is older than 15 minutes.',
      )
    }
    if ((await store.passkeys(userId)).length >= PASSKEYS_MAX) {
      throw new OperationError('conflict', `You have ${PASSKEYS_MAX} passkeys. Remove one first.`)
    }
  }

  return {
    list: async (userId) => (await users()).passkeys(userId),

    checkAdd,

    async add(userId, sessionId, passkey) {
      await checkAdd(userId, sessionId)
      const store = await users()
      if ((await store.passkeyOf(passkey.credentialId)) !== null) {
        throw new OperationError('conflict', 'This passkey is already registered.')
      }
      return store.addPasskey(userId, { ...passkey, name: nameOf(passkey.name) })
    },

    async rename(userId, id, text) {
      const name = nameOf(text)
      const passkey = await find(userId, id)
      await (await users()).renamePasskey(id, name)
      return { ...passkey, name }
    },

    async remove(userId, id) {
      await find(userId, id)
      await (await users()).removePasskey(id)
    },
  }
}
