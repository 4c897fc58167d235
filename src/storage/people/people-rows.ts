import type { Role } from '../../model/vocabulary.ts'
import type { Invitation, Member } from '../port/people.ts'
import { dateOf } from '../values.ts'

/** Rows of members and invitations, the same on both engines. */

export const MEMBER_COLUMNS = 'user_id, account_id, role, operator, created_at'

/** Needs a condition. */
export const SELECT_MEMBERS = `select m.user_id, m.account_id, m.role, m.operator, m.created_at, a.requires_second_factor
  from members m join accounts a on a.id = m.account_id`

export type MemberRow = {
  user_id: string
  account_id: string
  role: Role
  operator: number
  created_at: number
  requires_second_factor: number
}

export function memberOf(row: MemberRow): Member {
  return {
    userId: row.user_id,
    accountId: row.account_id,
    role: row.role,
    operator: row.operator === 1,
    createdAt: dateOf(row.created_at),
    requiresSecondFactor: row.requires_second_factor === 1,
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
