import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { later } from '../../src/runtime/instant.ts'
import { createAppleKey } from '../../src/simulate/official/connect.ts'
import { appleBody } from './connect-store.ts'
import { consoleClient, signInAgain, signInOf } from './console-client.ts'
import type { AccountData } from './console-data.ts'
import type { Tenant } from './interfaces.ts'
import { paramsOf } from './route-table.ts'
import type { TestService } from './service.ts'

/** Settings of a service whose accounts can have all objects. Passkeys need a host name. */
export const OBJECT_SETTINGS = {
  RADAR_HOST: 'localhost',
  RADAR_SMTP_URL: 'smtp://127.0.0.1:9',
  RADAR_SMTP_FROM: 'radar@example.com',
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: '100000',
} as const

/** The address of the alerts of the account. */
export const ALERT_ADDRESS = 'alice-alerts@example.com'

/** What the paths, queries, bodies and tools of an account may name: one object of each kind. */
export type AccountObjects = {
  /** The path with the objects in it. Throws for a part that names an object of a kind that no test has. */
  readonly pathOf: (url: string) => string
  /** By the name of the field. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Values that no other account may see. */
  readonly values: readonly string[]
  /** Credentials among them, and those of a store. */
  readonly secrets: readonly string[]
}

/** Creates what `data` lacks: a store connection, an answer template, an Atom feed, recipients, a second session and a passkey. */
export async function createAccountObjects(
  running: TestService,
  alice: Tenant,
  data: AccountData,
): Promise<AccountObjects> {
  const created = async <T>(path: string, body: object) => (await alice.api('POST', path, body)).json<T>()
  const key = createAppleKey(running.world)
  const { id: connectionId } = await created<{ id: string }>('/store-connections', appleBody(key))
  const template = await created<{ id: string }>('/reply-templates', { name: 'Of Alice', text: 'Thank you!' })
  const reviewNote = await created<{ id: string }>(`/reviews/${data.fingerprint}/notes`, {
    text: 'Note of Alice',
  })
  const view = await alice.owner.fetchJson<{ id: string }>('POST', '/views', {
    name: 'View of Alice',
    filters: { stars: '1' },
  })
  const feed = await created<{ id: string; url: string }>('/atom-feeds', {
    store: 'apple',
    app_id: data.appId,
  })
  const mail = await alice.owner.fetchJson<{ id: string }>('POST', '/destinations', {
    target_type: 'email',
    target_settings: { to: ['alice-reads@example.com'] },
  })
  const alerts = { enabled: false, emails: [ALERT_ADDRESS], webhook_url: null }
  await alice.owner.fetchJson('PUT', '/v1/alerts', alerts)
  const page = await alice.owner.fetchJson<DestinationPage>('GET', `/destinations/${mail.id}`)
  const recipientId = page.recipients[0]?.id ?? ''
  const [member] = await alice.owner.fetchJson<{ id: string }[]>('GET', '/members')
  await signInAgain(consoleClient(running.url), alice.owner.email)
  const sessions = await alice.owner.fetchJson<{ id: string; current: boolean }[]>('GET', '/sessions')
  const batchId = await addBatch(running, alice.accountId, { ...data, connectionId })
  const passkeyId = await addPasskey(running, member?.id ?? '')

  const params: Readonly<Record<string, string>> = {
    'hooks/:id': data.destination.id,
    'destinations/:id': data.destination.id,
    'watches/:watch_id': data.watchId,
    'watch-sets/:set_id': data.watchSetId,
    'reviews/:fingerprint': data.fingerprint,
    'deliveries/:event_id': data.deadId,
    'replays/:id': data.replayId,
    'reply-templates/:id': template.id,
    'notes/:note_id': reviewNote.id,
    'views/:id': view.id,
    'reply-batches/:id': batchId,
    'atom-feeds/:id': feed.id,
    'store-connections/:id': connectionId,
    'apps/:app_id': data.appId,
    'apps/:store': 'apple',
    'tracked-apps/:store': 'apple',
    ':store/:app_id': data.appId,
    'recipients/:recipient': recipientId,
    'invitations/:id': data.invitation.id,
    'tokens/:id': data.token.id,
    'members/:userId': member?.id ?? '',
    'sessions/:id': sessions.find(({ current }) => !current)?.id ?? '',
    'passkeys/:id': passkeyId,
    'feeds/:id': '1',
    'schemas/:file': 'review.created.json',
    // The token itself would be the credential.
    'atom/:token': feed.id,
    'unsubscribe/:token': recipientId,
  }

  const secrets = [data.destination.secret, data.token.value, data.invitation.url, alice.token, feed.url]
  return {
    pathOf: (url) => {
      let path = url.replace('/destinations/:id/recipients', `/destinations/${mail.id}/recipients`)
      for (const param of paramsOf(url)) {
        const value = params[param]
        if (value === undefined || value === '') {
          throw new Error(
            `${url} names an object of a new kind: add "${param}" to test/support/account-objects.ts.`,
          )
        }
        path = path.replace(`/${param.split('/')[1]}`, `/${value}`)
      }
      return path
    },
    fields: {
      hook_id: data.destination.id,
      hook_ids: [data.destination.id],
      event_id: data.deadId,
      event_ids: [data.deadId],
      fingerprint: data.fingerprint,
      fingerprints: [data.fingerprint],
      template_id: template.id,
      store: 'apple',
      app_id: data.appId,
    },
    values: [
      ...[data.secretText, data.destination.id, data.destination.targetUrl],
      ...[data.deliveredId, data.deadId, data.watchId, data.watchSetId, data.fingerprint, data.replayId],
      ...[data.token.id, data.invitation.id, data.invitation.email, ...secrets],
      ...[alice.accountId, alice.owner.email, member?.id ?? '', passkeyId],
      ...[
        ...[view.id, 'View of Alice', reviewNote.id, 'Note of Alice'],
        template.id,
        'Of Alice',
        feed.id,
        connectionId,
        mail.id,
        'alice-reads@example.com',
      ],
      ...sessions.map(({ id }) => id),
    ],
    secrets: [...secrets, key.privateKey],
  }
}

/** An answer that waits to be sent. The account has no connected app, so the API would not take it. */
async function addBatch(
  { service, clock }: TestService,
  accountId: string,
  { appId, fingerprint, connectionId }: Pick<AccountData, 'appId' | 'fingerprint'> & { connectionId: string },
): Promise<string> {
  const batchId = 'bat_of_alice'
  const undoUntil = later(clock.now(), 24 * 3_600_000)
  const request = { kind: 'publish', text: 'Thank you!', author: 'Alice', undoUntil, batchId } as const
  const target = { store: 'apple', appId, reviewId: 'of-alice', connectionId } as const
  await service.storage.replies.request(accountId, fingerprint, target, request, clock.now())
  return batchId
}

/** A key pair that no device has. */
async function addPasskey(running: TestService, userId: string): Promise<string> {
  await using opened = signInOf(running)
  const passkey = { name: 'Phone', credentialId: 'AAAA', publicKey: 'oA', counter: 0, transports: [] }
  return (await (await opened.get()).addPasskey(userId, passkey)).id
}
