import type { Passkey, UserStore } from '../../operations/accounts/users.ts'
import { systemClock } from '../../runtime/clock.ts'
import type { Auth } from './better-auth.ts'
import { presentUser } from './stored-email.ts'

type PasskeyStore = Pick<
  UserStore,
  | 'passkeys'
  | 'addPasskey'
  | 'renamePasskey'
  | 'removePasskey'
  | 'removePasskeys'
  | 'passkeyOf'
  | 'claimChallenge'
  | 'usedPasskey'
>

type Row = {
  id: string
  name: string
  userId: string
  credentialId: string
  publicKey: string
  counter: number
  transports: string
  createdAt: Date
  lastUsedAt: Date | null
}

const MODEL = 'passkey'

/** Longer than a challenge is valid. */
const USED_CHALLENGE_MS = 10 * 60_000

/** Passkeys in a table of the sign-in library. They hold only public keys. */
export function passkeyStore(auth: Auth): PasskeyStore {
  const byId = (id: string) => [{ field: 'id', value: id }]
  return {
    async passkeys(userId) {
      const { adapter } = await auth.$context
      const rows = await adapter.findMany<Row>({ model: MODEL, where: [{ field: 'userId', value: userId }] })
      return rows
        .map(passkeyOf)
        .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || a.id.localeCompare(b.id))
    },

    async addPasskey(userId, passkey) {
      const { adapter } = await auth.$context
      const row = await adapter.create<Omit<Row, 'id'>, Row>({
        model: MODEL,
        data: {
          ...passkey,
          transports: passkey.transports.join(','),
          userId,
          createdAt: systemClock.now(),
          lastUsedAt: null,
        },
      })
      return passkeyOf(row)
    },

    async renamePasskey(id, name) {
      const { adapter } = await auth.$context
      await adapter.update({ model: MODEL, where: byId(id), update: { name } })
    },

    async removePasskey(id) {
      const { adapter } = await auth.$context
      await adapter.delete({ model: MODEL, where: byId(id) })
    },

    async removePasskeys(userId) {
      const { adapter } = await auth.$context
      await adapter.deleteMany({ model: MODEL, where: [{ field: 'userId', value: userId }] })
    },

    async passkeyOf(credentialId) {
      const { adapter, internalAdapter } = await auth.$context
      const row = await adapter.findOne<Row>({
        model: MODEL,
        where: [{ field: 'credentialId', value: credentialId }],
      })
      const user = row === null ? null : await internalAdapter.findUserById(row.userId)
      if (row === null || user === null) return null
      return { passkey: passkeyOf(row), user: presentUser(user) }
    },

    async claimChallenge(challenge) {
      const { internalAdapter } = await auth.$context
      return internalAdapter.reserveVerificationValue({
        identifier: `used-challenge:${challenge}`,
        value: 'used',
        expiresAt: new Date(systemClock.now().getTime() + USED_CHALLENGE_MS),
      })
    },

    async usedPasskey(id, counter) {
      const { adapter } = await auth.$context
      await adapter.update({
        model: MODEL,
        where: byId(id),
        update: { counter, lastUsedAt: systemClock.now() },
      })
    },
  }
}

function passkeyOf(row: Row): Passkey {
  const { id, name, credentialId, publicKey, counter, transports, createdAt, lastUsedAt } = row
  return {
    id,
    name,
    credentialId,
    publicKey,
    counter,
    transports: transports === '' ? [] : transports.split(','),
    createdAt,
    lastUsedAt,
  }
}
