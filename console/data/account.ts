import { queryOptions } from '@tanstack/react-query'
import type {
  CreatedInvitation,
  CreatedToken,
  InvitationView,
  MemberView,
  SessionListView,
  TokenBody,
  TokenView,
} from '../../src/contract/console/people.ts'
import type { SystemView } from '../../src/contract/console/system.ts'
import type { Role } from '../../src/model/vocabulary.ts'
import { request } from './request.ts'

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => request<TokenView[]>('GET', '/tokens', { signal }),
})
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => request<MemberView[]>('GET', '/members', { signal }),
})
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<SessionListView[]>('GET', '/sessions', { signal }),
})
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => request<InvitationView[]>('GET', '/invitations', { signal }),
})

/** How often the system page reloads. */
const SYSTEM_REFRESH_MS = 5_000
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request<SystemView>('GET', '/system', { signal }),
  refetchInterval: SYSTEM_REFRESH_MS,
})

const part = encodeURIComponent

export const account = {
  createToken: (body: TokenBody) => request<CreatedToken>('POST', '/tokens', { body }),
  revokeToken: (id: string) => request<void>('DELETE', `/tokens/${part(id)}`),
  invite: (email: string, role: Role) =>
    request<CreatedInvitation>('POST', '/invitations', { body: { email, role } }),
  revokeInvitation: (id: string) => request<void>('DELETE', `/invitations/${part(id)}`),
  setRole: (userId: string, role: Role) =>
    request<MemberView>('PATCH', `/members/${part(userId)}`, { body: { role } }),
  removeMember: (userId: string) => request<void>('DELETE', `/members/${part(userId)}`),
  changePassword: (currentPassword: string, newPassword: string) =>
    request<unknown>('POST', '/auth/change-password', {
      body: { currentPassword, newPassword, revokeOtherSessions: true },
    }),
  endSession: (id: string) => request<void>('DELETE', `/sessions/${part(id)}`),
  signOutElsewhere: () => request<unknown>('POST', '/auth/revoke-other-sessions', { body: {} }),
} as const
