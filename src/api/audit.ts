import type { AuditAction } from '../model/audit.ts'
import type { Operations } from '../operations/operations.ts'
import {
  alertsOf,
  changesOf,
  counted,
  type Fields,
  listOf,
  recoveryOf,
  severalTriaged,
  targetOf,
  text,
  triageOf,
} from './audit-detail.ts'

/** The parts of a successful call that its entry in the audit log is built from. */
export type AuditedCall = {
  /** The value of a `:name` part of the path. */
  readonly param: (name: string) => string
  readonly body: Fields
  readonly query: Fields
  readonly answer: Fields
  /** The result of `nameBefore`. */
  readonly name: string | null
}

export type AuditRule = {
  readonly action: AuditAction | ((call: AuditedCall) => AuditAction)
  /** By default the `id` of the response, else the last `:name` part of the path. */
  readonly target?: (call: AuditedCall) => string | null
  /** Short and without secrets. */
  readonly detail?: (call: AuditedCall) => string | null
  /** It is about the user's own access: recorded in all of their accounts. */
  readonly ofUser?: true
  /** The name of the object that the call deletes, read before the call. */
  readonly nameBefore?: (
    operations: NamingOperations,
    accountId: string,
    id: string,
  ) => Promise<string | undefined>
}

export type NamingOperations = Pick<
  Operations,
  'atomFeeds' | 'connections' | 'hooks' | 'people' | 'replyTemplates' | 'savedViews' | 'tokens'
>

/** A read, despite its method. */
const READS = null
/** The route has no caller yet; `sign-in-audit.ts` records its entries. */
const RECORDED_BESIDE = null

/** The operation records an entry in each account that lost something. */
const RECORDED_IN_EACH_ACCOUNT = null

/** Nobody could read the entry; the service logs `account.deleted`. */
const DELETES_THE_LOG = null

const several = () => null
const app = ({ param }: AuditedCall) => `${param('store')}/${param('app_id')}`
const removedName = ({ name }: AuditedCall) => name
const hookName = async ({ hooks }: NamingOperations, accountId: string, id: string) => {
  const { targetType, targetUrl } = await hooks.get(accountId, id)
  return targetOf(targetType, targetType === 'webhook' ? targetUrl : null)
}
const watched = ({ body }: AuditedCall) => `${body.event_type} ${body.store}/${body.app_id}`

const watchedBySet = ({ body }: AuditedCall) => {
  const { apps } = body
  return `${body.event_type} ${apps === 'all' ? 'all apps' : counted(listOf(apps).length, 'app')}`
}
const SET_ADDED: AuditRule = {
  action: 'watch.added',
  target: ({ param }) => param('id'),
  detail: watchedBySet,
}
const SET_CHANGED: AuditRule = {
  action: 'watch.changed',
  target: ({ param }) => param('id'),
  detail: watchedBySet,
}

const statusAction = ({ body }: AuditedCall) => (body.status === 'paused' ? 'hook.paused' : 'hook.resumed')

/** The subscriptions of the inbox. */
const inboxed = ({ body }: AuditedCall) => {
  const { store, app_id } = (body.app ?? {}) as Fields
  return store === undefined ? 'inbox: all apps' : `inbox: ${store}/${app_id}`
}

/** The rules that both APIs share. */
const HOOK_DELETED: AuditRule = { action: 'hook.deleted', nameBefore: hookName, detail: removedName }
const ATOM_FEED_REVOKED: AuditRule = {
  action: 'atom_feed.revoked',
  nameBefore: async ({ atomFeeds }, accountId, id) => {
    const feed = (await atomFeeds.list(accountId, null)).find((each) => each.id === id)
    return feed && `${feed.store}/${feed.appId}`
  },
  detail: removedName,
}
const connectionName = ({ answer }: AuditedCall) => `${answer.name}: ${answer.subject}`
const STORE_CONNECTED: AuditRule = { action: 'store.connected', detail: connectionName }
const STORE_TESTED: AuditRule = {
  action: 'store.tested',
  detail: ({ answer }) => `${answer.name}: ${answer.problem === null ? 'passed' : 'failed'}`,
}
const STORE_CREDENTIALS_REPLACED: AuditRule = { action: 'store.credentials_replaced', detail: connectionName }
const STORE_CHANGED: AuditRule = { action: 'store.changed', detail: connectionName }
const sourcedApp = ({ param, answer }: AuditedCall) => `${answer.store}/${param('app_id')}`
const OFFICIAL_SOURCE: AuditRule = {
  action: 'app.official_source',
  target: sourcedApp,
  detail: ({ answer }) => text(answer.name),
}
const PUBLIC_SOURCE: AuditRule = { ...OFFICIAL_SOURCE, action: 'app.public_source' }
const HISTORY_STARTED: AuditRule = { ...OFFICIAL_SOURCE, action: 'history.started' }
const HISTORY_STOPPED: AuditRule = { ...OFFICIAL_SOURCE, action: 'history.stopped' }
const STORE_REMOVED: AuditRule = {
  action: 'store.removed',
  nameBefore: async ({ connections }, accountId, id) => {
    const { name, subject } = await connections.get(accountId, id)
    return `${name}: ${subject}`
  },
  detail: removedName,
}
const HOOK_TESTED: AuditRule = { action: 'hook.tested', target: ({ param }) => param('id') }
const DELIVERY_RETRIED: AuditRule = { action: 'delivery.retried' }
const DELIVERY_SENT_AGAIN: AuditRule = { action: 'delivery.sent_again' }
const REPLAYED: AuditRule = {
  action: 'dead_letters.replayed',
  target: several,
  detail: ({ answer }) => counted(answer.changed ?? answer.replayed, 'dead letter'),
}
const DISCARDED: AuditRule = {
  action: 'dead_letters.discarded',
  target: several,
  detail: ({ answer }) => counted(answer.changed ?? answer.discarded, 'dead letter'),
}
const REPLIED: AuditRule = {
  action: 'reply.requested',
  target: ({ param }) => param('fingerprint'),
  detail: ({ body }) => text(body.text),
}
const REPLY_DELETED: AuditRule = { action: 'reply.deleted', target: ({ param }) => param('fingerprint') }
const REPLIED_TO_SEVERAL: AuditRule = {
  action: 'reply.requested',
  target: ({ answer }) => text(answer.batch_id),
  detail: ({ answer }) => counted(answer.changed, 'answer'),
}
const REPLY_UNDONE: AuditRule = { action: 'reply.undone', target: ({ param }) => param('fingerprint') }
const REPLIES_UNDONE: AuditRule = {
  action: 'reply.undone',
  target: ({ param }) => param('id'),
  detail: ({ answer }) => counted(answer.undone, 'answer'),
}
const DRAFTED: AuditRule = { action: 'reply.drafted', target: ({ param }) => param('fingerprint') }
const GENERATED: AuditRule = { ...DRAFTED, action: 'reply.generated' }
const TRANSLATED: AuditRule = { ...DRAFTED, action: 'review.translated' }
const TEMPLATE_CREATED: AuditRule = {
  action: 'reply_template.created',
  detail: ({ answer }) => text(answer.name),
}
const TEMPLATE_CHANGED: AuditRule = { ...TEMPLATE_CREATED, action: 'reply_template.changed' }
const TEMPLATE_DELETED: AuditRule = {
  action: 'reply_template.deleted',
  nameBefore: async ({ replyTemplates }, accountId, id) =>
    (await replyTemplates.list(accountId)).find((template) => template.id === id)?.name,
  detail: removedName,
}
const TRIAGED: AuditRule = {
  action: 'review.triaged',
  target: ({ param }) => param('fingerprint'),
  detail: ({ body, answer }) => triageOf(body, answer),
}
const TRIAGED_SEVERAL: AuditRule = {
  action: 'review.triaged',
  target: several,
  detail: ({ body, answer }) => severalTriaged(body, answer),
}
const NOTE_ADDED: AuditRule = { action: 'review.note_added', target: ({ param }) => param('fingerprint') }
const NOTE_DELETED: AuditRule = { ...NOTE_ADDED, action: 'review.note_deleted' }
const REPLAY_STARTED: AuditRule = {
  action: 'replay.started',
  detail: ({ answer }) => counted(answer.total, 'dead letter'),
}
const REPLAY_CHANGED: AuditRule = { action: 'replay.changed', detail: ({ body }) => text(body.status) }

/**
 * The audit log entry of each changing route, by the prefix of its group and by `METHOD /path`; null for a route without one. A test fails
 * for a missing changing route.
 */
export const AUDIT_RULES: Readonly<Record<string, Readonly<Record<string, AuditRule | null>>>> = {
  '/api/console': {
    'POST /setup': RECORDED_BESIDE,
    'POST /signup': RECORDED_BESIDE,
    'POST /auth/*': RECORDED_BESIDE,
    'POST /invitations/shown': READS,
    'POST /invitations/accept': RECORDED_BESIDE,
    'POST /invitations/join': RECORDED_BESIDE,
    'POST /session/account': RECORDED_BESIDE,
    'POST /sso': RECORDED_BESIDE,
    'POST /passkey-sign-in': RECORDED_BESIDE,

    'DELETE /sessions/:id': { action: 'session.ended', ofUser: true },
    'POST /passkeys': { action: 'passkey.added', ofUser: true, detail: ({ answer }) => text(answer.name) },
    'PATCH /passkeys/:id': {
      action: 'passkey.renamed',
      ofUser: true,
      detail: ({ answer }) => text(answer.name),
    },
    'DELETE /passkeys/:id': { action: 'passkey.removed', ofUser: true },
    'DELETE /second-factor/trusted-browsers': {
      action: 'second_factor.trust_ended',
      ofUser: true,
      target: several,
    },
    'PATCH /account': { action: 'account.renamed', detail: ({ answer }) => text(answer.name) },
    'POST /account/deletion': DELETES_THE_LOG,
    'PUT /second-factor/requirement': {
      action: ({ body }) =>
        body.required === true ? 'second_factor.required' : 'second_factor.not_required',
      target: several,
    },
    'POST /tokens': {
      action: 'token.created',
      detail: ({ answer }) => `${answer.name}: ${listOf(answer.scopes).join(', ')}`,
    },
    'DELETE /tokens/:id': {
      action: 'token.revoked',
      nameBefore: async ({ tokens }, accountId, id) =>
        (await tokens.list(accountId)).find((token) => token.id === id)?.name,
      detail: removedName,
    },
    'POST /invitations': {
      action: 'invitation.created',
      detail: ({ body }) => `${body.email} as ${body.role}`,
    },
    'DELETE /invitations/:id': {
      action: 'invitation.withdrawn',
      nameBefore: async ({ people }, accountId, id) =>
        (await people.invitations(accountId)).find((invitation) => invitation.id === id)?.email,
      detail: removedName,
    },
    'PATCH /members/:userId': {
      action: 'member.role_changed',
      detail: ({ body, answer }) => `${answer.email} is now ${body.role}`,
    },
    'DELETE /members/:userId': {
      action: 'member.removed',
      nameBefore: async ({ people }, accountId, id) =>
        (await people.members(accountId)).find(({ user }) => user.id === id)?.user.email,
      detail: removedName,
    },

    'POST /views': { action: 'view.saved', detail: ({ answer }) => text(answer.name) },
    'DELETE /views/:id': {
      action: 'view.deleted',
      nameBefore: async ({ savedViews }, accountId, id) =>
        (await savedViews.list(accountId)).find((view) => view.id === id)?.name,
      detail: removedName,
    },
    'POST /destinations': {
      action: 'hook.created',
      detail: ({ body }) => targetOf(body.target_type, body.target_url),
    },
    'POST /destinations/:id/recipients/:recipient/subscribe': {
      action: 'recipient.asked',
      target: ({ param }) => param('id'),
      nameBefore: async ({ hooks }, accountId, id) => {
        const found = (await hooks.list(accountId)).flatMap((hook) => hooks.recipients(hook))
        return found.find((recipient) => recipient.id === id)?.address
      },
      detail: removedName,
    },
    'POST /inbox': { action: 'watch.added', detail: inboxed },
    'POST /watches/preview': READS,
    'POST /destinations/preview': READS,
    'POST /watch-sets/preview': READS,
  },

  '/api/v1': {
    'POST /hooks': {
      action: 'hook.created',
      detail: ({ body }) => targetOf(body.target_type, body.target_url),
    },
    'PATCH /hooks/:id': { action: 'hook.changed', detail: ({ body }) => changesOf(body) },
    'DELETE /hooks/:id': HOOK_DELETED,
    'POST /hooks/:id/test': HOOK_TESTED,
    'PUT /hooks/:id/status': { action: statusAction },
    'PUT /hook-statuses': {
      action: statusAction,
      target: several,
      detail: ({ answer }) => counted(answer.changed, 'destination'),
    },
    'POST /hooks/:id/secret': {
      action: 'secret.rotated',
      target: ({ param }) => param('id'),
      detail: ({ body }) => `the old one signs for ${body.overlap_hours} h`,
    },
    'DELETE /hooks/:id/old-secrets': { action: 'secret.revoked' },
    'POST /hooks/:id/retry': {
      action: 'hook.retried',
      detail: ({ answer }) => counted(answer.retried, 'pending delivery', 'pending deliveries'),
    },
    'POST /retries/hooks': {
      action: 'hook.retried',
      target: several,
      detail: ({ answer }) => counted(answer.changed, 'destination'),
    },
    'POST /hooks/:id/recovery': {
      action: 'recovery.started',
      target: ({ param }) => param('id'),
      detail: ({ body }) => recoveryOf(body),
    },
    'POST /hooks/:id/watches': { action: 'watch.added', target: ({ param }) => param('id'), detail: watched },
    'PUT /hooks/:id/watches/:watch_id': { action: 'watch.changed', detail: watched },
    'DELETE /hooks/:id/watches/:watch_id': {
      action: 'watch.removed',
      detail: ({ param }) => param('watch_id'),
    },
    'PUT /hooks/:id/watches/:watch_id/watch-set': SET_CHANGED,
    'PUT /hooks/:id/watch-sets/:set_id/watch': {
      action: 'watch.changed',
      target: ({ param }) => param('id'),
      detail: watched,
    },
    'POST /hooks/:id/watch-sets': SET_ADDED,
    'PUT /hooks/:id/watch-sets/:set_id': SET_CHANGED,
    'DELETE /hooks/:id/watch-sets/:set_id': {
      action: 'watch.removed',
      target: ({ param }) => param('id'),
      detail: ({ param }) => param('set_id'),
    },
    'PUT /tracked-apps/:store/:app_id': {
      action: ({ body }) => (listOf(body.countries).length === 0 ? 'app.untracked' : 'app.tracked'),
      target: app,
      detail: ({ body }) => listOf(body.countries).join(', ') || null,
    },
    'DELETE /tracked-apps/:store/:app_id': {
      action: 'app.untracked',
      target: app,
      detail: ({ query }) => (query.watches === 'remove' ? 'with its subscriptions' : null),
    },
    'POST /atom-feeds': {
      action: 'atom_feed.created',
      detail: ({ body }) => `${body.store}/${body.app_id}`,
    },
    'DELETE /atom-feeds/:id': ATOM_FEED_REVOKED,
    'PATCH /reviews/:fingerprint/triage': TRIAGED,
    'PATCH /triage': TRIAGED_SEVERAL,
    'POST /reviews/:fingerprint/notes': NOTE_ADDED,
    'DELETE /reviews/:fingerprint/notes/:note_id': NOTE_DELETED,
    'PUT /reviews/:fingerprint/reply': REPLIED,
    'PUT /reviews/:fingerprint/reply/draft': DRAFTED,
    'POST /reviews/:fingerprint/reply/draft': GENERATED,
    'DELETE /reviews/:fingerprint/reply': REPLY_DELETED,
    'POST /reviews/:fingerprint/reply/undo': REPLY_UNDONE,
    'POST /reviews/replies': REPLIED_TO_SEVERAL,
    'POST /reviews/replies/preview': READS,
    'POST /reply-batches/:id/undo': REPLIES_UNDONE,
    'POST /reviews/:fingerprint/translation': TRANSLATED,
    'DELETE /reviews/:fingerprint': RECORDED_IN_EACH_ACCOUNT,
    'POST /reply-templates': TEMPLATE_CREATED,
    'PUT /reply-templates/:id': TEMPLATE_CHANGED,
    'DELETE /reply-templates/:id': TEMPLATE_DELETED,
    'POST /store-connections': STORE_CONNECTED,
    'POST /store-connections/:id/test': STORE_TESTED,
    'PUT /store-connections/:id/credentials': STORE_CREDENTIALS_REPLACED,
    'PATCH /store-connections/:id': STORE_CHANGED,
    'PUT /store-connections/:id/apps/:app_id': OFFICIAL_SOURCE,
    'DELETE /store-connections/:id/apps/:app_id': PUBLIC_SOURCE,
    'PUT /store-connections/:id/apps/:app_id/history': HISTORY_STARTED,
    'DELETE /store-connections/:id/apps/:app_id/history': HISTORY_STOPPED,
    'DELETE /store-connections/:id': STORE_REMOVED,
    'POST /imports/reviews': {
      action: 'reviews.imported',
      target: several,
      detail: ({ answer }) => `${answer.added} added, ${answer.replaced} replaced`,
    },
    'POST /deliveries/:event_id/retry': DELIVERY_RETRIED,
    'POST /retries/deliveries': {
      action: 'delivery.retried',
      target: several,
      detail: ({ answer }) => counted(answer.changed, 'delivery', 'deliveries'),
    },
    'POST /deliveries/:event_id/resend': DELIVERY_SENT_AGAIN,
    'POST /dead-letters/replay': REPLAYED,
    'POST /dead-letters/discard': DISCARDED,
    'POST /replays': REPLAY_STARTED,
    'PUT /replays/:id': REPLAY_CHANGED,
    'PUT /alerts': { action: 'alerts.changed', target: several, detail: ({ body }) => alertsOf(body) },
    'POST /alerts/secret': { action: 'alerts.secret_created', target: several },
    'POST /alerts/test': { action: 'alerts.tested', target: several },
    'POST /alerts/ask': {
      action: 'recipient.asked',
      target: several,
      detail: ({ body }) => String(body.email),
    },
  },
}
