import { queryOptions } from '@tanstack/react-query'
import type { TokenView } from '../../src/contract/account.ts'
import type {
  CreatedInvitation,
  CreatedToken,
  InvitationView,
  MemberView,
  SessionListView,
  TokenBody,
} from '../../src/contract/console/people.ts'
import type { SystemView } from '../../src/contract/console/system.ts'
import type { Role } from '../../src/model/vocabulary.ts'
import { request } from './request.ts'

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => request<TokenView[]>('GET', '/v1/tokens', { signal }),
})
export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => request<MemberView[]>('GET', '/console/members', { signal }),
})
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<SessionListView[]>('GET', '/console/sessions', { signal }),
})
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => request<InvitationView[]>('GET', '/console/invitations', { signal }),
})

/** How often the system page reloads. */
const SYSTEM_REFRESH_MS = 5_000
export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => request<SystemView>('GET', '/console/system', { signal }),
  refetchInterval: SYSTEM_REFRESH_MS,
})

const part = encodeURIComponent

export const account = {
  createToken: (body: TokenBody) => request<CreatedToken>('POST', '/console/tokens', { body }),
  revokeToken: (id: string) => request<void>('DELETE', `/console/tokens/${part(id)}`),
  rename: (name: string) =>
    request<{ id: string; name: string }>('PATCH', '/console/account', { body: { name } }),
  remove: (name: string) => request<void>('POST', '/console/account/deletion', { body: { name } }),
  invite: (email: string, role: Role) =>
    request<CreatedInvitation>('POST', '/console/invitations', { body: { email, role } }),
  revokeInvitation: (id: string) => request<void>('DELETE', `/console/invitations/${part(id)}`),
  setRole: (userId: string, role: Role) =>
    request<MemberView>('PATCH', `/console/members/${part(userId)}`, { body: { role } }),
  removeMember: (userId: string) => request<void>('DELETE', `/console/members/${part(userId)}`),
  changePassword: (currentPassword: string, newPassword: string) =>
    request<unknown>('POST', '/console/auth/change-password', {
      body: { currentPassword, newPassword, revokeOtherSessions: true },
    }),
  endSession: (id: string) => request<void>('DELETE', `/console/sessions/${part(id)}`),
  signOutElsewhere: () => request<unknown>('POST', '/console/auth/revoke-other-sessions', { body: {} }),
} as const
