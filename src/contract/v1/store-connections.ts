import { z } from 'zod'
import { HISTORY_STATES } from '../../model/review-history.ts'
import { CONNECTION_KINDS, RIGHTS } from '../../model/store-connection.ts'
import { STOREFRONTS, STORES } from '../../model/vocabulary.ts'
import { OBJECT, oneOf, says, saysUnquoted } from '../field.ts'
import type { Route } from '../route.ts'

const NO_CONNECTION = 'The account has no store connection with this id.'
const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_CONNECTION)
    .meta({ description: 'Id of the store connection.' }),
})

const NOT_REACHED = 'The account has no such store connection, or it has no access to this app.'
const appParams = params.extend({
  app_id: z
    .string()
    .min(1, NOT_REACHED)
    .max(255, NOT_REACHED)
    .meta({ description: "The store's id of the app." }),
})

const right = z.enum(RIGHTS)

export const storeConnectionView = z
  .object({
    id: z.string(),
    kind: z.enum(CONNECTION_KINDS),
    store: z.enum(STORES),
    name: z.string(),
    subject: z.string().meta({
      description: "Identifies the credentials: Apple's key id, or the address of a service account.",
    }),
    created_at: z.iso.datetime(),
    rotated_at: z.iso.datetime().nullable().meta({ description: 'When the credentials were last replaced.' }),
    checked_at: z.iso.datetime().meta({ description: 'When the credentials were last tested.' }),
    problem: z.string().nullable().meta({ description: 'Why the last test failed; null if it succeeded.' }),
    warnings: z.array(z.string()).meta({ description: 'What the credentials cannot do.' }),
    rights: z
      .object({ read_reviews: right, reply: right, history: right })
      .meta({ id: 'StoreRights', description: '`unknown`: only the first use shows it.' }),
    apps: z.array(
      z
        .object({
          app_id: z.string(),
          name: z.string().nullable(),
          bundle_id: z.string().nullable(),
          countries: z.array(z.enum(STOREFRONTS)).meta({
            description: 'Storefronts that the account watches; empty for an app that it does not track.',
          }),
          source_connection_id: z.string().nullable().meta({
            description:
              "The store connection from which the account's reviews of the app come, this one or another; null: the public pages.",
          }),
          source: z
            .object({
              state: z.enum(['switching', 'official']).meta({
                description: '`switching`: still the public pages, until the first successful poll.',
              }),
              since: z.iso.datetime(),
              last_ok_at: z.iso.datetime().nullable().meta({ description: 'The last successful poll.' }),
              problem: z.string().nullable().meta({ description: 'Why the last poll failed.' }),
            })
            .nullable()
            .meta({
              description: "Null: the account's reviews of the app do not come from this connection.",
            }),
          history: z
            .object({
              state: z.enum(HISTORY_STATES).meta({
                description: '`stopped` and `failed` ones continue when they are started again.',
              }),
              started_at: z.iso.datetime(),
              updated_at: z.iso.datetime(),
              reviews: z.int().meta({ description: 'Reviews read so far.' }),
              added: z.int().meta({ description: 'New reviews among them.' }),
              ratings_only: z.int().meta({ description: 'Rows of reports without a text.' }),
              malformed: z.int().meta({ description: 'Rows that could not be read.' }),
              percent: z
                .int()
                .nullable()
                .meta({ description: 'Progress, 0 to 100; null until the total is known.' }),
              problem: z.string().nullable().meta({ description: 'Why the last page failed.' }),
            })
            .nullable()
            .meta({
              description: 'The history import: all reviews that the store has; null if none was started.',
            }),
        })
        .meta({ id: 'ReachedApp' }),
    ),
  })
  .meta({
    id: 'StoreConnection',
    description: 'Credentials of the account for the official interface of a store, without the keys.',
  })
export type StoreConnectionView = z.infer<typeof storeConnectionView>

/** Long enough for any key file of the stores. */
const KEY_CHARS_MAX = 20_000
const key = (field: string, what: string) => {
  const message = saysUnquoted(field, `text of at most ${KEY_CHARS_MAX} characters: ${what}`)
  return z.string(message).max(KEY_CHARS_MAX, message).nullish()
}
const short = (field: string, what: string) => {
  const message = says(field, `text of at most 255 characters: ${what}`)
  return z.string(message).max(255, message).nullish()
}
const appIds = says('app_ids', 'a list of package names')

const credentialFields = {
  kind: z.enum(CONNECTION_KINDS, says('kind', oneOf(CONNECTION_KINDS))),
  issuer_id: short('issuer_id', 'the UUID of the team').meta({
    description: 'App Store Connect: the UUID above the list of team keys; null for an individual key.',
  }),
  key_id: short('key_id', 'the ten characters of the key').meta({
    description: 'App Store Connect: the id of the key.',
  }),
  private_key: key('private_key', 'the content of the .p8 file').meta({
    description: 'App Store Connect: the content of the `.p8` file.',
  }),
  service_account: key('service_account', 'the JSON file of a service account').meta({
    description: 'Google Play: the JSON key file of the service account, as text.',
  }),
  reports_bucket: short('reports_bucket', 'a Cloud Storage URI').meta({
    description: 'Google Play: the bucket of the monthly reports, which has the history; null for none.',
  }),
  app_ids: z.array(z.string(appIds).max(255, appIds), appIds).nullish().meta({
    description: 'Google Play: the package names, because Google has no list of apps.',
  }),
}
const name = says('name', 'text of 1 to 100 characters')

export const credentialsBody = z.object(credentialFields, OBJECT).meta({ id: 'StoreCredentialsBody' })
export type CredentialsBody = z.infer<typeof credentialsBody>

export const newConnectionBody = z
  .object({ ...credentialFields, name: z.string(name).max(100, name).optional() }, OBJECT)
  .meta({
    id: 'NewStoreConnectionBody',
    examples: [
      {
        kind: 'appstoreconnect',
        issuer_id: '57246542-96fe-1a63-e053-0824d011072a',
        key_id: '2X9R4HXF34',
        private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
      },
    ],
  })

export const connectionChangeBody = z
  .object(
    {
      name: z.string(name).max(100, name).optional(),
      reports_bucket: credentialFields.reports_bucket,
      app_ids: z.array(z.string(appIds).max(255, appIds), appIds).optional(),
    },
    OBJECT,
  )
  .meta({ id: 'StoreConnectionChange', examples: [{ name: 'Team key' }] })

export type NewConnectionBody = z.infer<typeof newConnectionBody>
export type ConnectionChangeBody = z.infer<typeof connectionChangeBody>

const TESTED = {
  400: 'A field is missing or not allowed, or the store refused the credentials. The message says why.',
  404: NO_CONNECTION,
  409: 'The account is already connected with these credentials.',
}

export const storeConnectionRoutes = {
  list_store_connections: {
    method: 'GET',
    path: '/store-connections',
    tag: 'Apps',
    scopes: ['operate'],
    summary: 'List store connections',
    description:
      'The credentials of the account for App Store Connect and the Google Play Developer API, oldest first, with the apps that they can access. Keys are never returned.',
    success: { status: 200, description: 'All store connections.', schema: z.array(storeConnectionView) },
    errors: {},
  },
  get_store_connection: {
    method: 'GET',
    path: '/store-connections/{id}',
    tag: 'Apps',
    scopes: ['operate'],
    summary: 'Show a store connection',
    description: 'One store connection, without its keys.',
    params,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: { 404: NO_CONNECTION },
  },
  connect_store: {
    method: 'POST',
    path: '/store-connections',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Connect a store',
    description:
      'Tests the credentials with the store, then stores them encrypted. They are never shown again. An account has at most 10 tests per minute.',
    body: newConnectionBody,
    success: { status: 200, description: 'The new store connection.', schema: storeConnectionView },
    errors: {
      400: TESTED[400],
      409: 'The account is already connected with these credentials, or has reached its limit of store connections.',
    },
  },
  test_store_connection: {
    method: 'POST',
    path: '/store-connections/{id}/test',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Test a store connection',
    description:
      'Tests the stored credentials again and lists the apps that they can access. `problem` describes a failure.',
    params,
    success: { status: 200, description: 'The result of the test.', schema: storeConnectionView },
    errors: { 404: NO_CONNECTION },
  },
  rotate_store_credentials: {
    method: 'PUT',
    path: '/store-connections/{id}/credentials',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Replace the credentials of a store connection',
    description:
      'Tests the new credentials, then replaces the old ones, which are deleted. `app_ids` and `reports_bucket` stay as they are if they are not given.',
    params,
    body: credentialsBody,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: TESTED,
  },
  change_store_connection: {
    method: 'PATCH',
    path: '/store-connections/{id}',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Change a store connection',
    description:
      'Renames it, or changes the package names or the bucket of a Google Play connection, which are tested. Omitted fields do not change.',
    params,
    body: connectionChangeBody,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: TESTED,
  },
  use_store_connection: {
    method: 'PUT',
    path: '/store-connections/{id}/apps/{app_id}',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Get the reviews of an app from a store connection',
    description:
      'From the first successful poll on, reviews of the app come from this connection instead of the public pages. Reviews that the public pages showed create no events. Ratings still come from the public pages.',
    params: appParams,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: { 404: NOT_REACHED, 409: 'The account does not track this app.' },
  },
  leave_store_connection: {
    method: 'DELETE',
    path: '/store-connections/{id}/apps/{app_id}',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Get the reviews of an app from the public pages again',
    description: 'Reviews that the store connection showed create no events.',
    params: appParams,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: { 404: NOT_REACHED },
  },
  import_store_history: {
    method: 'PUT',
    path: '/store-connections/{id}/apps/{app_id}/history',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Import the history of an app',
    description:
      'Reads all reviews that the store has, in the background and without events: the whole list of App Store Connect, or the monthly reports of Google Play. A stopped or failed import continues where it was; a completed one starts again.',
    params: appParams,
    success: {
      status: 200,
      description: 'The store connection, with the progress of its apps.',
      schema: storeConnectionView,
    },
    errors: {
      404: NOT_REACHED,
      409: 'The reviews of the app do not come from this connection, or a Google Play connection has no bucket of reports.',
    },
  },
  stop_store_history: {
    method: 'DELETE',
    path: '/store-connections/{id}/apps/{app_id}/history',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Stop a history import',
    description: 'Reviews that it has read are kept.',
    params: appParams,
    success: { status: 200, description: 'The store connection.', schema: storeConnectionView },
    errors: { 404: NOT_REACHED },
  },
  remove_store_connection: {
    method: 'DELETE',
    path: '/store-connections/{id}',
    tag: 'Apps',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Remove a store connection',
    description:
      'Deletes the stored credentials at once. Reviews that came from the connection are kept; its apps switch back to the public pages.',
    params,
    success: { status: 204, description: 'The store connection no longer exists.' },
    errors: { 404: NO_CONNECTION },
  },
} as const satisfies Record<string, Route>
