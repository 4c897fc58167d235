import { z } from 'zod'
import { EMAIL_CHARS_MAX, NAME_CHARS_MAX, PASSWORD_CHARS, TOKEN_DAYS } from '../../model/input-limits.ts'
import { ROLES, type Role, TOKEN_SCOPES } from '../../model/vocabulary.ts'
import type { TokenView } from '../account.ts'

/** `GET /api/console/session`: the signed-in user, and the options before sign-in. */
export type SessionView = {
  /** No user exists yet, so the console shows the setup page, which requires the setup code from the log. */
  readonly setupNeeded: boolean
  readonly user: UserView | null
  /** The accounts of the user, oldest membership first. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[]
  /** The one that the session has entered. Null with a user of several accounts: they must choose one. */
  readonly account: { readonly id: string; readonly name: string } | null
  readonly role: Role | null
  /** Whether the user may see the System page. */
  readonly operator: boolean
  /** The account requires a second factor that the user has not turned on: all other requests answer 403. */
  readonly secondFactorNeeded: boolean
  /** Whether a model server can translate reviews. */
  readonly translates: boolean
  /** The state of the account's data. The stream accepts it as `since` and sends the topics that changed after it. */
  readonly state: string | null
  readonly version: string
  readonly baseUrl: string
  /** Whether anyone may create an account (`POST /api/console/signup`). */
  readonly signupOpen: boolean
  /** The name of the provider for `POST /api/console/sso`; null without one. */
  readonly identityProvider: string | null
}

export type UserView = { readonly id: string; readonly name: string; readonly email: string }

const { min, max } = PASSWORD_CHARS
const password = z
  .string({ error: `password: at least ${min} characters` })
  .min(min, `password: at least ${min} characters`)
  .max(max, `password: at most ${max} characters`)
const name = z
  .string({ error: 'name: is required' })
  .trim()
  .min(1, 'name: is required')
  .max(NAME_CHARS_MAX, `name: at most ${NAME_CHARS_MAX} characters`)
const email = z
  .email({ error: 'email: is not an e-mail address' })
  .max(EMAIL_CHARS_MAX, `email: at most ${EMAIL_CHARS_MAX} characters`)

/** `POST /api/console/setup`; answers 200 with the session cookie set, 403 for a wrong code. */
export const SetupBody = z.object({
  code: z
    .string({ error: 'code: the setup code from the log is required' })
    .trim()
    .min(1, 'code: the setup code from the log is required'),
  name,
  email,
  password,
  account_name: z
    .string()
    .trim()
    .max(NAME_CHARS_MAX, `account_name: at most ${NAME_CHARS_MAX} characters`)
    .optional(),
})
export type SetupBody = z.infer<typeof SetupBody>

/**
 * `POST /api/console/signup`, when the operator allows everyone to create an account (`RADAR_SIGNUP=open`); otherwise
 * 403.
 */
export const SignUpBody = SetupBody.omit({ code: true })
export type SignUpBody = z.infer<typeof SignUpBody>

/** `GET /api/console/sessions`: the user's signed-in browsers, last used first. */
export type SessionListView = {
  readonly id: string
  readonly signedInAt: string
  /** Accurate to a day. */
  readonly lastUsedAt: string
  readonly clientAddress: string | null
  /** The browser's own name. Untrusted text. */
  readonly userAgent: string | null
  /** The session of this request. */
  readonly current: boolean
}

export type MemberView = UserView & {
  readonly role: Role
  readonly joinedAt: string
  readonly you: boolean
  /** Null for a caller who is not an owner. */
  readonly hasSecondFactor: boolean | null
}

/** The answer of `POST /api/console/auth/sign-in/email`. `needsSecondFactor`: the session begins after a code. */
export type SignInView = { readonly needsSecondFactor?: boolean }

/** The answer of `POST /api/console/auth/two-factor/enable`. It is on after its first code. Shown once. */
export type NewSecondFactorView = {
  /** For the app: `otpauth://totp/…`, with the secret. */
  readonly uri: string
  readonly backupCodes: readonly string[]
}

/** `GET /api/console/second-factor` */
export type SecondFactorView = {
  readonly isOn: boolean
  readonly backupCodesLeft: number
  readonly trustedBrowsers: number
  /** By the account. */
  readonly isRequired: boolean
  /** False for a user who signs in only at the identity provider. */
  readonly hasPassword: boolean
  /** Whether the user signs in at the identity provider. */
  readonly hasIdentity: boolean
}

/** `GET /api/console/passkeys`: null where browsers allow none, because the console has no host name. */
export type PasskeyView = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
const response = z.record(z.string(), z.unknown(), { error: 'response: must be the response of the browser' })
/** `POST /api/console/passkeys` */
export const AddPasskeyBody = z.object({ name, response })
/** `PATCH /api/console/passkeys/:id` */
export const PasskeyNameBody = z.object({ name })
/** `POST /api/console/passkey-sign-in` */
export const PasskeyResponseBody = z.object({ response })

/**
 * `POST /api/console/sso` answers with the URL of the provider. `next`: the page after sign-in. `invitation`: the token of the link from
 * which the person signs in. `connect`: binds the provider's identity to the signed-in user.
 */
export const SingleSignOnBody = z.object({
  next: z
    .string()
    .max(2_000, 'next: at most 2,000 characters')
    .regex(/^\/(?![/\\])[^\p{Cc}\s]*$/u, 'next: a path of this console')
    .optional(),
  invitation: z.string().max(200, 'invitation: is part of the invitation link').optional(),
  connect: z.boolean({ error: 'connect: true or false' }).optional(),
})
export type SingleSignOnView = { readonly url: string }
/** `PUT /api/console/second-factor/requirement` (owners) */
export const RequirementBody = z.object({ required: z.boolean({ error: 'required: true or false' }) })

/** `POST /api/console/account/deletion` (owners), with the name of the account */
export const AccountDeletionBody = z.object({
  name: z.string({ error: 'name: the name of the account' }).max(1_000),
})

/** `PATCH /api/console/account` (owners) */
export const RenameBody = z.object({ name })

/** `POST /api/console/invitations` (owners). The link is shown once. */
export const InviteBody = z.object({ email, role: z.enum(ROLES, { error: 'role: owner, member or viewer' }) })
export type InvitationView = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly expiresAt: string
}
export type CreatedInvitation = InvitationView & { readonly url: string }
/** `POST /api/console/invitations/shown`, without a session: what the page of the link says. */
export type ShownInvitation = {
  readonly account: string
  /** Null for an invitation of an earlier version. */
  readonly inviter: string | null
  readonly email: string
  readonly role: Role
}
/** `POST /api/console/invitations/accept`, without a session. */
export const AcceptBody = z.object({
  token: z.string().min(1, 'token: is part of the invitation link'),
  name,
  /** To sign in with, instead of the invited one: somebody else may have taken that. */
  email: email.optional(),
  password,
})
/** `POST /api/console/invitations/join`: the signed-in user accepts it, and the session enters its account. */
export const JoinBody = AcceptBody.pick({ token: true })
/** `POST /api/console/session/account`: the session enters one of the user's accounts. */
export const EnterBody = z.object({
  account: z.string({ error: 'account: the id of one of your accounts' }).max(100),
})
/** `PATCH /api/console/members/:userId` (owners). */
export const MemberBody = z.object({ role: z.enum(ROLES, { error: 'role: owner, member or viewer' }) })

const tokenDays = `expires_in_days: a whole number from ${TOKEN_DAYS.min} to ${TOKEN_DAYS.max}`

/** `POST /api/console/tokens`; only this answer contains the value. */
export const TokenBody = z.object({
  name,
  scopes: z
    .array(z.enum(TOKEN_SCOPES, { error: `scopes: each one of ${TOKEN_SCOPES.join(', ')}` }))
    .min(1, 'scopes: at least one')
    .optional(),
  expires_in_days: z.int(tokenDays).min(TOKEN_DAYS.min, tokenDays).max(TOKEN_DAYS.max, tokenDays).optional(),
})
export type TokenBody = z.infer<typeof TokenBody>
export type CreatedToken = TokenView & { readonly value: string }
