import type { Role } from '../../model/vocabulary.ts'
import type { Invitation, Member } from '../port/people.ts'
import { dateOf } from '../values.ts'

/** Rows of members and invitations, the same on both engines. */

export const MEMBER_COLUMNS = 'user_id, account_id, role, operator, created_at'

export type MemberRow = {
  user_id: string
  account_id: string
  role: Role
  operator: number
  created_at: number
}

export function memberOf(row: MemberRow): Member {
  return {
    userId: row.user_id,
    accountId: row.account_id,
    role: row.role,
    operator: row.operator === 1,
    createdAt: dateOf(row.created_at),
  }
}

export const INVITATION_COLUMNS = 'id, account_id, email, role, created_at, expires_at'

export type InvitationRow = {
  id: string
  account_id: string
  email: string
  role: Role
  created_at: number
  expires_at: number
}

export function invitationOf(row: InvitationRow): Invitation {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    createdAt: dateOf(row.created_at),
    expiresAt: dateOf(row.expires_at),
  }
}
