import { z } from 'zod'
import { STOREFRONTS, STORES, TOKEN_SCOPES } from '../model/vocabulary.ts'

/** An app in a storefront that the account watches (docs/contract.md, Storefronts). */
export const watchedApp = z
  .object({
    id: z.string().meta({ description: '`<store>:<app_id>:<country>`, for drop-downs.' }),
    name: z.string().meta({
      description: "The app's name in its store; its id until the store provides the name.",
    }),
    store: z.enum(STORES),
    app_id: z.string(),
    country: z.enum(STOREFRONTS),
  })
  .meta({ id: 'WatchedApp', description: 'An app in a storefront that the account watches.' })
export type WatchedApp = z.infer<typeof watchedApp>

/** The token of the request and its account. */
export const me = z
  .object({
    account_id: z.string(),
    account_name: z.string(),
    token_id: z.string(),
    token_name: z.string(),
    token_scopes: z.array(z.enum(TOKEN_SCOPES)).meta({ description: 'The scopes of the token.' }),
    token_expires_at: z.iso.datetime().nullable().meta({ description: 'Null if it does not expire.' }),
  })
  .meta({ id: 'Me', description: 'The account of the token.' })
export type Me = z.infer<typeof me>

/** An API token of the account, without its value. */
export const tokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(TOKEN_SCOPES)),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable().meta({ description: 'Null if it does not expire.' }),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'Accurate to a minute.' }),
    last_used_network: z
      .string()
      .nullable()
      .meta({ description: 'Network of the last client, such as 203.0.113.0/24.' }),
  })
  .meta({ id: 'Token', description: 'An API token of the account, without its value.' })
export type TokenView = z.infer<typeof tokenView>
