import {
  AcceptBody,
  AccountDeletionBody,
  type CreatedInvitation,
  type InvitationView,
  InviteBody,
  JoinBody,
  MemberBody,
  type MemberView,
  RenameBody,
  type ShownInvitation,
} from '../../contract/console/people.ts'
import type { AccountMember, Invitation } from '../../operations/accounts/people.ts'
import type { Operations } from '../../operations/operations.ts'
import { addressOf } from '../client-address.ts'
import { type Member, type Route, route } from '../route.ts'
import { type SignInAuditDeps, signInAudit } from './sign-in-audit.ts'

export type PeopleRouteDeps = SignInAuditDeps & {
  readonly operations: Pick<Operations, 'accountDeletion' | 'audit' | 'people'>
  readonly publicUrl: () => string
}

/** Every member sees members and invitations; owners change them. */
export function peopleRoutes(deps: PeopleRouteDeps): Route[] {
  const { signIn, operations, publicUrl } = deps
  const { people } = operations
  const audit = signInAudit(deps)
  return [
    route({
      method: 'GET',
      path: '/members',
      run: async ({ caller }) =>
        (await people.members(caller.accountId)).map((member) => presentMember(member, caller)),
    }),

    route({
      method: 'PATCH',
      path: '/members/:userId',
      access: 'owner',
      body: MemberBody,
      run: async ({ caller, param, body }) =>
        presentMember(await people.setRole(caller.accountId, param('userId'), body.role), caller),
    }),

    route({
      method: 'DELETE',
      path: '/members/:userId',
      access: 'owner',
      run: ({ caller, param }) => people.removeMember(caller.accountId, param('userId')),
    }),

    route({
      method: 'POST',
      path: '/account/deletion',
      access: 'owner',
      body: AccountDeletionBody,
      run: ({ caller: { accountId, user, sessionId }, body }) =>
        operations.accountDeletion.beginByOwner(accountId, { userId: user.id, sessionId }, body.name),
    }),

    route({
      method: 'PATCH',
      path: '/account',
      access: 'owner',
      body: RenameBody,
      async run({ caller: { accountId }, body }) {
        await people.renameAccount(accountId, body.name)
        return { id: accountId, name: body.name }
      },
    }),

    route({
      method: 'GET',
      path: '/invitations',
      run: async ({ caller }) => (await people.invitations(caller.accountId)).map(presentInvitation),
    }),

    route({
      method: 'POST',
      path: '/invitations',
      access: 'owner',
      body: InviteBody,
      async run({ caller, body }): Promise<CreatedInvitation> {
        const { invitation, token } = await people.invite(
          caller.accountId,
          body.email,
          body.role,
          caller.user.name,
        )
        const url = `${publicUrl().replace(/\/$/, '')}/accept/${token}`
        return { ...presentInvitation(invitation), url }
      },
    }),

    route({
      method: 'DELETE',
      path: '/invitations/:id',
      access: 'owner',
      run: ({ caller, param }) => people.withdraw(caller.accountId, param('id')),
    }),

    // The token is in the body, because addresses are logged.
    route({
      method: 'POST',
      path: '/invitations/shown',
      access: 'anyone',
      body: JoinBody,
      run: ({ body, request }): Promise<ShownInvitation> => people.invitation(body.token, addressOf(request)),
    }),

    route({
      method: 'POST',
      path: '/invitations/accept',
      access: 'anyone',
      body: AcceptBody,
      async run({ body, request, reply }) {
        const { user, accountId, invitedEmail } = await people.accept(body.token, body, addressOf(request))
        await audit.record('invitation.accepted', user, request, invitedEmail, accountId)
        reply.header(
          'set-cookie',
          await (await signIn()).open({ email: user.email, password: body.password }),
        )
      },
    }),
  ]
}

function presentMember({ user, role, joinedAt, hasSecondFactor }: AccountMember, caller: Member): MemberView {
  return {
    ...user,
    role,
    joinedAt: joinedAt.toISOString(),
    you: user.id === caller.user.id,
    hasSecondFactor: caller.role === 'owner' ? hasSecondFactor : null,
  }
}

function presentInvitation({ id, email, role, createdAt, expiresAt }: Invitation): InvitationView {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
