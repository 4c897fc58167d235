import type { Role } from '../../../model/vocabulary.ts'
import { checkRoom } from '../../people/account-usage.ts'
import {
  INVITATION_COLUMNS,
  type InvitationRow,
  invitationOf,
  MEMBER_COLUMNS,
  type MemberRow,
  memberOf,
  SELECT_MEMBERS,
} from '../../people/people-rows.ts'
import type { Invitation, MemberChange, PeopleStorage } from '../../port/people.ts'
import { bytesOf, flagOf, hexOf, msOf } from '../../values.ts'
import type { Database, Queries } from '../connect.ts'
import { lockAccounts } from './account-limits.ts'

export function peopleStorage(db: Database): PeopleStorage {
  return {
    anyMember: async () => anyMember(db),

    createAccount: async (account, owner, { onlyFirst }) =>
      db.transaction(async (tx) => {
        // The second of two concurrent setups waits here, and then sees the first.
        if (onlyFirst) await tx.run('lock table members in share row exclusive mode')
        if (onlyFirst && (await anyMember(tx))) return false
        await tx.run(
          'insert into accounts (id, name, created_at) values ($1, $2, $3)',
          account.id,
          account.name,
          msOf(account.createdAt),
        )
        await addMember(tx, owner.userId, account.id, 'owner', owner.operator, account.createdAt)
        return true
      }),

    memberOf: async (userId) => {
      const row = await db.get<MemberRow>(`${SELECT_MEMBERS} where m.user_id = $1`, userId)
      return row === undefined ? null : memberOf(row)
    },

    members: async (accountId) =>
      (
        await db.all<MemberRow>(
          `${SELECT_MEMBERS} where m.account_id = $1 order by m.created_at, m.user_id`,
          accountId,
        )
      ).map(memberOf),

    setRole: async (accountId, userId, role) =>
      db.transaction(async (tx) => {
        const problem = await memberProblem(tx, accountId, userId, role === 'owner')
        if (problem !== null) return problem
        await tx.run('update members set role = $1 where user_id = $2', role, userId)
        return 'done'
      }),

    removeMember: async (accountId, userId) =>
      db.transaction(async (tx) => {
        const problem = await memberProblem(tx, accountId, userId, false)
        if (problem !== null) return problem
        await tx.run('delete from members where user_id = $1', userId)
        return 'done'
      }),

    requireSecondFactor: async (accountId, required) => {
      await db.run(
        'update accounts set requires_second_factor = $1 where id = $2',
        flagOf(required),
        accountId,
      )
    },

    invite: async (invitation, sha256Hex, max) =>
      db.transaction(async (tx) => {
        if (max !== undefined) {
          await lockAccounts(tx, [invitation.accountId])
          const open = await openInvitations(tx, invitation.accountId, invitation.createdAt)
          checkRoom('invitations', open.length, max)
        }
        await tx.run(
          `insert into invitations (id, account_id, email, role, sha256, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)`,
          invitation.id,
          invitation.accountId,
          invitation.email,
          invitation.role,
          bytesOf(sha256Hex),
          msOf(invitation.createdAt),
          msOf(invitation.expiresAt),
        )
      }),

    invitations: async (accountId, now) => openInvitations(db, accountId, now),

    withdraw: async (accountId, id) =>
      (await db.run(
        'delete from invitations where id = $1 and account_id = $2 and accepted_at is null',
        id,
        accountId,
      )) > 0,

    invitationOf: async (sha256Hex, now) => {
      const row = await openInvitation(db, sha256Hex, now)
      return row === undefined ? null : invitationOf(row)
    },

    openInvitationOf: async (email, now) => {
      const row = await db.get<InvitationRow & { sha256: Uint8Array }>(
        `select ${INVITATION_COLUMNS}, sha256 from invitations
         where lower(email) = $1 and accepted_at is null and expires_at > $2 order by created_at desc, id limit 1`,
        email,
        msOf(now),
      )
      return row === undefined ? null : { invitation: invitationOf(row), sha256Hex: hexOf(row.sha256) }
    },

    accept: async (sha256Hex, userId, now) =>
      db.transaction(async (tx) => {
        const row = await openInvitation(tx, sha256Hex, now, 'for update')
        if (row === undefined) return false
        await tx.run('update invitations set accepted_at = $1 where id = $2', msOf(now), row.id)
        await addMember(tx, userId, row.account_id, row.role, false, now)
        return true
      }),
  }
}

async function anyMember(db: Queries): Promise<boolean> {
  return (await db.get('select 1 from members limit 1')) !== undefined
}

async function addMember(
  db: Queries,
  userId: string,
  accountId: string,
  role: Role,
  operator: boolean,
  at: Date,
): Promise<void> {
  await db.run(
    `insert into members (${MEMBER_COLUMNS}) values ($1, $2, $3, $4, $5)`,
    userId,
    accountId,
    role,
    flagOf(operator),
    msOf(at),
  )
}

/** Why a member cannot be changed; null when it can. Locks the account's row, so that two owners cannot both leave. */
async function memberProblem(
  db: Queries,
  accountId: string,
  userId: string,
  remainsOwner: boolean,
): Promise<Exclude<MemberChange, 'done'> | null> {
  await db.get('select 1 from accounts where id = $1 for update', accountId)
  const member = await db.get<{ role: Role }>(
    'select role from members where user_id = $1 and account_id = $2',
    userId,
    accountId,
  )
  if (member === undefined) return 'not_found'
  if (remainsOwner || member.role !== 'owner') return null
  const others = await db.get(
    `select 1 from members where account_id = $1 and role = 'owner' and user_id <> $2 limit 1`,
    accountId,
    userId,
  )
  return others === undefined ? 'last_owner' : null
}

async function openInvitations(db: Queries, accountId: string, now: Date): Promise<Invitation[]> {
  const rows = await db.all<InvitationRow>(
    `select ${INVITATION_COLUMNS} from invitations
     where account_id = $1 and accepted_at is null and expires_at > $2 order by created_at desc, id`,
    accountId,
    msOf(now),
  )
  return rows.map(invitationOf)
}

async function openInvitation(
  db: Queries,
  sha256Hex: string,
  now: Date,
  lock: 'for update' | '' = '',
): Promise<InvitationRow | undefined> {
  return db.get<InvitationRow>(
    `select ${INVITATION_COLUMNS} from invitations
     where sha256 = $1 and accepted_at is null and expires_at > $2 ${lock}`,
    bytesOf(sha256Hex),
    msOf(now),
  )
}
