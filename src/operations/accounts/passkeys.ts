import type { Clock } from '../../runtime/clock.ts'
import { OperationError } from '../error.ts'
import { nameOf } from './names.ts'
import { requireFreshSession } from './sessions.ts'
import type { NewPasskey, Passkey, UserStore } from './users.ts'

export type PasskeyDeps = { readonly users: () => Promise<UserStore>; readonly clock: Clock }

const PASSKEYS_MAX = 20

/** Passkeys of a user. */
export function passkeyOperations({ users, clock }: PasskeyDeps) {
  const find = async (userId: string, id: string): Promise<Passkey> => {
    const passkey = (await (await users()).passkeys(userId)).find((each) => each.id === id)
    if (passkey !== undefined) return passkey
    throw new OperationError('not_found', 'You have no passkey with this id.')
  }

  const checkAdd = async (userId: string, sessionId: string | null): Promise<void> => {
    const store = await users()
    await requireFreshSession(store, clock, { userId, sessionId }, 'To add a passkey')
    if ((await store.passkeys(userId)).length >= PASSKEYS_MAX) {
      throw new OperationError('conflict', `You have ${PASSKEYS_MAX} passkeys. Remove one first.`)
    }
  }

  return {
    /** Oldest first. */
    list: async (userId: string): Promise<Passkey[]> => (await users()).passkeys(userId),

    /**
     * Throws `forbidden` unless the session began a short time ago: a forgotten browser must not give lasting access. `conflict` for a user
     * with `PASSKEYS_MAX`.
     */
    checkAdd,

    /** Throws as `checkAdd`, `conflict` for a passkey that a user already has, and `invalid` for the name. */
    async add(userId: string, sessionId: string | null, passkey: NewPasskey): Promise<Passkey> {
      await checkAdd(userId, sessionId)
      const store = await users()
      if ((await store.passkeyOf(passkey.credentialId)) !== null) {
        throw new OperationError('conflict', 'This passkey is already registered.')
      }
      return store.addPasskey(userId, { ...passkey, name: nameOf(passkey.name) })
    },

    /** Throws `not_found`, and `invalid` for the name. */
    async rename(userId: string, id: string, text: string): Promise<Passkey> {
      const name = nameOf(text)
      const passkey = await find(userId, id)
      await (await users()).renamePasskey(id, name)
      return { ...passkey, name }
    },

    /** Throws `not_found`. */
    async remove(userId: string, id: string): Promise<void> {
      await find(userId, id)
      await (await users()).removePasskey(id)
    },
  }
}
