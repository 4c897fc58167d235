/** The actions in the audit log of an account. An action must never be renamed, because entries store its name. */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.renamed',
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_in.signed_out',
  'session.ended',
  'password.changed',
  'password.reset_link_created',
  'password.reset',
  'second_factor.turned_on',
  'second_factor.turned_off',
  'second_factor.backup_codes_created',
  'second_factor.backup_code_used',
  'second_factor.trust_ended',
  'second_factor.reset',
  'second_factor.required',
  'second_factor.not_required',
  'passkey.added',
  'passkey.renamed',
  'passkey.removed',
  'identity.connected',
  'invitation.created',
  'invitation.withdrawn',
  'invitation.accepted',
  'member.role_changed',
  'member.removed',
  'token.created',
  'token.revoked',
  'app.tracked',
  'app.untracked',
  'atom_feed.created',
  'atom_feed.revoked',
  'store.connected',
  'store.tested',
  'store.credentials_replaced',
  'store.changed',
  'store.removed',
  'reply.drafted',
  'reply.generated',
  'review.translated',
  'review.erased',
  'review.triaged',
  'review.note_added',
  'review.note_deleted',
  'view.saved',
  'view.deleted',
  'reply.requested',
  'reply.deleted',
  'reply.undone',
  'reply_template.created',
  'reply_template.changed',
  'reply_template.deleted',
  'app.official_source',
  'app.public_source',
  'history.started',
  'history.stopped',
  'reviews.imported',
  'alerts.changed',
  'alerts.secret_created',
  'alerts.tested',
  'hook.created',
  'hook.changed',
  'hook.paused',
  'hook.resumed',
  'hook.deleted',
  'hook.tested',
  'hook.retried',
  'recipient.unsubscribed',
  'recipient.asked',
  'recipient.subscribed',
  'secret.rotated',
  'secret.revoked',
  'watch.added',
  'watch.changed',
  'watch.removed',
  'delivery.retried',
  'delivery.sent_again',
  'dead_letters.replayed',
  'dead_letters.discarded',
  'replay.started',
  'replay.changed',
  'recovery.started',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/**
 * The actor with their name at that time, because no other row names a removed user or token. `command`: an operator at the command line.
 * `none`: unknown, as in a failed sign-in.
 */
export type AuditActor =
  | { readonly kind: 'user' | 'token' | 'command'; readonly id: string; readonly name: string }
  | { readonly kind: 'none'; readonly id: null; readonly name: null }

/** The actor of every command has this id. */
export const COMMAND_ACTOR_ID = 'command'

export type AuditEntry = {
  /** Increases with time; the cursor of pages. */
  readonly seq: number
  readonly accountId: string
  readonly at: Date
  readonly actor: AuditActor
  /** Null for commands. */
  readonly clientAddress: string | null
  readonly action: AuditAction
  /** The id of the changed object; `store/app id` for an app; null for several or none. */
  readonly target: string | null
  /** Short and without secrets, such as the new role or the host of a target. */
  readonly detail: string | null
}

/** Fits on a line of the log. */
export const AUDIT_DETAIL_CHARS_MAX = 200
