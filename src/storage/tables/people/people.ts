import type { Role } from '../../../model/vocabulary.ts'
import { columns, flag, instant, named, nullable, sha256, text, word } from '../../columns.ts'
import type { Invitation, MemberChange, PeopleStorage } from '../../port/people.ts'
import { bytesOf, flagOf, msOf } from '../../values.ts'
import { all, type Db, get, lock, run, sql, type Work } from '../../work.ts'
import { checkRoom, lockAccounts } from './account-limits.ts'
import { ACCOUNT } from './accounts.ts'
import { unassign } from './triage.ts'

const MEMBERSHIP = columns({
  userId: text,
  accountId: text,
  role: word<Role>(),
  operator: flag,
  createdAt: instant,
})

const MEMBER = columns(
  {
    ...MEMBERSHIP.shape,
    accountName: named('a.name', text),
    requiresSecondFactor: named('a.requires_second_factor', flag),
  },
  'm',
)

/** Needs a condition. */
const FROM_MEMBERS = 'from members m join accounts a on a.id = m.account_id'

const INVITATION = columns({
  id: text,
  accountId: text,
  email: text,
  role: word<Role>(),
  createdAt: instant,
  expiresAt: instant,
  inviter: nullable(text),
})

const SECRET_INVITATION = columns({ ...INVITATION.shape, sha256 })

const OPEN_INVITATION = 'from invitations where sha256 = ?1 and accepted_at is null and expires_at > ?2'

/** Members of accounts and invitations. */
export function peopleStorage(db: Db): PeopleStorage {
  return {
    anyMember: () => db.alone(anyMember()),

    createAccount: (account, owner, { onlyFirst }) =>
      db.transaction(function* () {
        // The second of two concurrent setups waits here, and then sees the first.
        if (onlyFirst) yield* lock('lock table members in share row exclusive mode')
        if (onlyFirst && (yield* anyMember())) return false
        yield* ACCOUNT.insert('accounts', account)
        const { userId, operator } = owner
        const { id: accountId, createdAt } = account
        yield* MEMBERSHIP.insert('members', { userId, accountId, role: 'owner', operator, createdAt })
        return true
      }),

    memberships: (userId) =>
      db.alone(
        MEMBER.all(
          `${FROM_MEMBERS} where m.user_id = ?1 and a.deleted_at is null order by m.created_at, m.account_id`,
          userId,
        ),
      ),

    members: (accountId) =>
      db.alone(
        MEMBER.all(`${FROM_MEMBERS} where m.account_id = ?1 order by m.created_at, m.user_id`, accountId),
      ),

    setRole: (accountId, userId, role) =>
      db.transaction(function* () {
        const problem = yield* memberProblem(accountId, userId, role === 'owner')
        if (problem !== null) return problem
        yield* run(
          'update members set role = ?1 where user_id = ?2 and account_id = ?3',
          role,
          userId,
          accountId,
        )
        return 'done'
      }),

    removeMember: (accountId, userId) =>
      db.transaction(function* () {
        const problem = yield* memberProblem(accountId, userId, false)
        if (problem !== null) return problem
        // So that one of two accounts that remove the user at once sees that it is the last.
        yield* lock('select 1 from members where user_id = ?1 order by account_id for update', userId)
        yield* run('delete from members where user_id = ?1 and account_id = ?2', userId, accountId)
        yield* unassign(accountId, userId)
        const others = yield* get('select 1 from members where user_id = ?1 limit 1', userId)
        return others === undefined ? 'last_account' : 'done'
      }),

    removeMemberships: (userId) =>
      db.transaction(function* () {
        const memberships = 'select account_id from members where user_id = ?1 order by account_id'
        const accountIds = (yield* all<{ account_id: string }>(memberships, userId)).map(
          (row) => row.account_id,
        )
        yield* lockAccounts(accountIds)
        for (const accountId of accountIds) yield* unassign(accountId, userId)
        yield* run('delete from members where user_id = ?1', userId)
      }),

    async requireSecondFactor(accountId, required) {
      const update = 'update accounts set requires_second_factor = ?1 where id = ?2'
      await db.alone(run(update, flagOf(required), accountId))
    },

    invite: (invitation, sha256Hex, max) =>
      db.transaction(function* () {
        if (max !== undefined) {
          yield* lockAccounts([invitation.accountId])
          const open = yield* openInvitations(invitation.accountId, invitation.createdAt)
          checkRoom('invitations', open.length, max)
        }
        yield* SECRET_INVITATION.insert('invitations', { ...invitation, sha256: sha256Hex })
      }),

    invitations: (accountId, now) => db.alone(openInvitations(accountId, now)),

    async withdraw(accountId, id) {
      const remove = 'delete from invitations where id = ?1 and account_id = ?2 and accepted_at is null'
      return (await db.alone(run(remove, id, accountId))) > 0
    },

    invitationOf: (sha256Hex, now) =>
      db.alone(INVITATION.find(OPEN_INVITATION, bytesOf(sha256Hex), msOf(now))),

    async openInvitationOf(email, now) {
      const found = await db.alone(
        SECRET_INVITATION.find(
          `from invitations where lower(email) = ?1 and accepted_at is null and expires_at > ?2
           order by created_at desc, id limit 1`,
          email,
          msOf(now),
        ),
      )
      if (found === null) return null
      const { sha256: sha256Hex, ...invitation } = found
      return { invitation, sha256Hex }
    },

    accept: (sha256Hex, userId, now) =>
      db.transaction(function* () {
        const invitation = yield* INVITATION.find(LOCKED_INVITATION, bytesOf(sha256Hex), msOf(now))
        if (invitation === null) return false
        const { id, accountId, role } = invitation
        const member = { userId, accountId, role, operator: false, createdAt: now }
        if ((yield* MEMBERSHIP.insert('members', member, 'on conflict do nothing')) === 0) return false
        yield* run('update invitations set accepted_at = ?1 where id = ?2', msOf(now), id)
        return true
      }),
  }
}

const LOCKED_INVITATION = sql((d) => `${OPEN_INVITATION} ${d.forUpdate()}`)

function* anyMember(): Work<boolean> {
  return (yield* get('select 1 from members limit 1')) !== undefined
}

/** Why a member cannot be changed; null when it can. Locks the account's row, so that two owners cannot both leave. */
function* memberProblem(
  accountId: string,
  userId: string,
  remainsOwner: boolean,
): Work<Exclude<MemberChange, 'done'> | null> {
  yield* lock('select 1 from accounts where id = ?1 for update', accountId)
  const member = yield* get<{ role: Role }>(
    'select role from members where user_id = ?1 and account_id = ?2',
    userId,
    accountId,
  )
  if (member === undefined) return 'not_found'
  if (remainsOwner || member.role !== 'owner') return null
  const others = yield* get(
    `select 1 from members where account_id = ?1 and role = 'owner' and user_id <> ?2 limit 1`,
    accountId,
    userId,
  )
  return others === undefined ? 'last_owner' : null
}

function openInvitations(accountId: string, now: Date): Work<Invitation[]> {
  return INVITATION.all(
    `from invitations where account_id = ?1 and accepted_at is null and expires_at > ?2
     order by created_at desc, id`,
    accountId,
    msOf(now),
  )
}
