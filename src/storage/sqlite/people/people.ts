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
import type { Connection } from '../connect.ts'

export function peopleStorage(db: Connection): PeopleStorage {
  return {
    anyMember: async () => anyMember(db),

    createAccount: async (account, owner, { onlyFirst }) =>
      db.transaction(() => {
        if (onlyFirst && anyMember(db)) return false
        db.run(
          'insert into accounts (id, name, created_at) values (?, ?, ?)',
          account.id,
          account.name,
          msOf(account.createdAt),
        )
        addMember(db, owner.userId, account.id, 'owner', owner.operator, account.createdAt)
        return true
      }),

    memberOf: async (userId) => {
      const row = db.get<MemberRow>(`${SELECT_MEMBERS} where m.user_id = ?`, userId)
      return row === undefined ? null : memberOf(row)
    },

    members: async (accountId) =>
      db
        .all<MemberRow>(
          `${SELECT_MEMBERS} where m.account_id = ? order by m.created_at, m.user_id`,
          accountId,
        )
        .map(memberOf),

    setRole: async (accountId, userId, role) =>
      db.transaction(() => {
        const problem = memberProblem(db, accountId, userId, role === 'owner')
        if (problem !== null) return problem
        db.run('update members set role = ? where user_id = ?', role, userId)
        return 'done'
      }),

    removeMember: async (accountId, userId) =>
      db.transaction(() => {
        const problem = memberProblem(db, accountId, userId, false)
        if (problem !== null) return problem
        db.run('delete from members where user_id = ?', userId)
        return 'done'
      }),

    requireSecondFactor: async (accountId, required) => {
      db.run('update accounts set requires_second_factor = ? where id = ?', flagOf(required), accountId)
    },

    invite: async (invitation, sha256Hex, max) =>
      db.transaction(() => {
        if (max !== undefined) {
          const open = openInvitations(db, invitation.accountId, invitation.createdAt)
          checkRoom('invitations', open.length, max)
        }
        db.run(
          `insert into invitations (id, account_id, email, role, sha256, created_at, expires_at)
           values (?, ?, ?, ?, ?, ?, ?)`,
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
      db.run(
        'delete from invitations where id = ? and account_id = ? and accepted_at is null',
        id,
        accountId,
      ) > 0,

    invitationOf: async (sha256Hex, now) => {
      const row = openInvitation(db, sha256Hex, now)
      return row === undefined ? null : invitationOf(row)
    },

    openInvitationOf: async (email, now) => {
      const row = db.get<InvitationRow & { sha256: Uint8Array }>(
        `select ${INVITATION_COLUMNS}, sha256 from invitations
         where lower(email) = ? and accepted_at is null and expires_at > ? order by created_at desc, id limit 1`,
        email,
        msOf(now),
      )
      return row === undefined ? null : { invitation: invitationOf(row), sha256Hex: hexOf(row.sha256) }
    },

    accept: async (sha256Hex, userId, now) =>
      db.transaction(() => {
        const row = openInvitation(db, sha256Hex, now)
        if (row === undefined) return false
        db.run('update invitations set accepted_at = ? where id = ?', msOf(now), row.id)
        addMember(db, userId, row.account_id, row.role, false, now)
        return true
      }),
  }
}

function anyMember(db: Connection): boolean {
  return db.get('select 1 from members limit 1') !== undefined
}

function addMember(
  db: Connection,
  userId: string,
  accountId: string,
  role: Role,
  operator: boolean,
  at: Date,
): void {
  db.run(
    `insert into members (${MEMBER_COLUMNS}) values (?, ?, ?, ?, ?)`,
    userId,
    accountId,
    role,
    flagOf(operator),
    msOf(at),
  )
}

/** Why a member cannot be changed; null when it can. */
function memberProblem(
  db: Connection,
  accountId: string,
  userId: string,
  remainsOwner: boolean,
): Exclude<MemberChange, 'done'> | null {
  const member = db.get<{ role: Role }>(
    'select role from members where user_id = ? and account_id = ?',
    userId,
    accountId,
  )
  if (member === undefined) return 'not_found'
  if (remainsOwner || member.role !== 'owner') return null
  const others = db.get(
    `select 1 from members where account_id = ? and role = 'owner' and user_id <> ? limit 1`,
    accountId,
    userId,
  )
  return others === undefined ? 'last_owner' : null
}

function openInvitations(db: Connection, accountId: string, now: Date): Invitation[] {
  return db
    .all<InvitationRow>(
      `select ${INVITATION_COLUMNS} from invitations
       where account_id = ? and accepted_at is null and expires_at > ? order by created_at desc, id`,
      accountId,
      msOf(now),
    )
    .map(invitationOf)
}

function openInvitation(db: Connection, sha256Hex: string, now: Date): InvitationRow | undefined {
  return db.get<InvitationRow>(
    `select ${INVITATION_COLUMNS} from invitations where sha256 = ? and accepted_at is null and expires_at > ?`,
    bytesOf(sha256Hex),
    msOf(now),
  )
}
