import { createHash, randomBytes } from 'node:crypto'
import {
  AcceptBody,
  type InvitationMade,
  type InvitationView,
  InviteBody,
  MemberBody,
  type MemberView,
} from '../../contract/console/people.ts'
import { newId } from '../../model/ids.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Invitation, MemberChange, PeopleStorage } from '../../storage/port/people.ts'
import { Refusal } from '../errors.ts'
import { createAttemptLimit } from './attempt-limit.ts'
import { createFreshUser } from './create-account.ts'
import { type ConsoleRoute, consoleRoute } from './route.ts'
import { addressOf, addressTaken } from './session-routes.ts'
import type { SignIn } from './sign-in.ts'

export type PeopleDeps = {
  readonly signIn: () => Promise<SignIn>
  readonly people: PeopleStorage
  readonly clock: Clock
  readonly publicUrl: () => string
}

const INVITATION_MS = 7 * 24 * 3_600_000
const INVITATION_BYTES = 32
/** Open invitations of one account; more would be a mailing list. */
const INVITATIONS_MAX = 100

const ACCEPT_FAILURES_MAX = 20
const ACCEPT_WINDOW_MS = 15 * 60_000

/** Members and invitations: every member sees them, owners change them. */
export function peopleRoutes(deps: PeopleDeps): ConsoleRoute[] {
  const { people, clock } = deps
  const accepts = createAttemptLimit({ max: ACCEPT_FAILURES_MAX, windowMs: ACCEPT_WINDOW_MS, clock })

  const membersOf = async (accountId: string, userId: string): Promise<MemberView[]> => {
    const members = await people.members(accountId)
    const users = await (await deps.signIn()).users(members.map((member) => member.userId))
    const byId = new Map(users.map((user) => [user.id, user]))
    return members.flatMap((member) => {
      const user = byId.get(member.userId)
      const { role, createdAt } = member
      return user ? [{ ...user, role, joinedAt: createdAt.toISOString(), you: user.id === userId }] : []
    })
  }

  return [
    consoleRoute({
      method: 'GET',
      path: '/members',
      run: async ({ caller }) => membersOf(caller.accountId, caller.user.id),
    }),

    consoleRoute({
      method: 'PATCH',
      path: '/members/:userId',
      access: 'owner',
      body: MemberBody,
      async run({ caller, param, body }) {
        refuse(await people.setRole(caller.accountId, param('userId'), body.role))
        const members = await membersOf(caller.accountId, caller.user.id)
        return members.find(({ id }) => id === param('userId'))
      },
    }),

    consoleRoute({
      method: 'DELETE',
      path: '/members/:userId',
      access: 'owner',
      async run({ caller, param }) {
        const userId = param('userId')
        refuse(await people.removeMember(caller.accountId, userId))
        // Who belongs to no account could only sign in to nothing.
        await (await deps.signIn()).removeUser(userId)
      },
    }),

    consoleRoute({
      method: 'GET',
      path: '/invitations',
      run: async ({ caller }) =>
        (await people.invitations(caller.accountId, clock.now())).map(presentInvitation),
    }),

    consoleRoute({
      method: 'POST',
      path: '/invitations',
      access: 'owner',
      body: InviteBody,
      async run({ caller, body }): Promise<InvitationMade> {
        const now = clock.now()
        if ((await people.invitations(caller.accountId, now)).length >= INVITATIONS_MAX) {
          throw new Refusal('conflict', `An account has at most ${INVITATIONS_MAX} open invitations.`)
        }
        const token = randomBytes(INVITATION_BYTES).toString('base64url')
        const invitation: Invitation = {
          id: newId('inv'),
          accountId: caller.accountId,
          email: body.email,
          role: body.role,
          createdAt: now,
          expiresAt: new Date(now.getTime() + INVITATION_MS),
        }
        await people.invite(invitation, hashOf(token))
        const url = `${deps.publicUrl().replace(/\/$/, '')}/accept/${token}`
        return { ...presentInvitation(invitation), url }
      },
    }),

    consoleRoute({
      method: 'DELETE',
      path: '/invitations/:id',
      access: 'owner',
      async run({ caller, param }) {
        if (!(await people.withdraw(caller.accountId, param('id')))) {
          throw new Refusal('not_found', 'The account has no open invitation with this id.')
        }
      },
    }),

    consoleRoute({
      method: 'POST',
      path: '/invitations/accept',
      access: 'anyone',
      body: AcceptBody,
      async run(call) {
        const { token, name, password } = call.body
        const key = addressOf(call)
        accepts.attempt(key)
        const sha256 = hashOf(token)
        const invitation = await people.invitationOf(sha256, clock.now())
        if (invitation === null) throw invitationOver()
        const signIn = await deps.signIn()
        const owner = { name, email: invitation.email, password }
        const user = await createFreshUser({ signIn, people }, owner)
        if (user === null) throw addressTaken()
        if (!(await people.accept(sha256, user.id, clock.now()))) {
          await signIn.removeUser(user.id)
          throw invitationOver()
        }
        accepts.succeeded(key)
        call.reply.header('set-cookie', await signIn.open(owner))
      },
    }),
  ]
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function refuse(change: MemberChange): void {
  if (change === 'not_found') throw new Refusal('not_found', 'The account has no member with this id.')
  if (change === 'last_owner') {
    throw new Refusal('conflict', 'This is the last owner of the account. Make somebody else an owner first.')
  }
}

function invitationOver(): Refusal {
  return new Refusal('not_found', 'This invitation is over: it was used, withdrawn, or is older than 7 days.')
}

function presentInvitation({ id, email, role, createdAt, expiresAt }: Invitation): InvitationView {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() }
}
