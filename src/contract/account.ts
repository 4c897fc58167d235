import { z } from 'zod'
import { STOREFRONTS, STORES } from '../model/vocabulary.ts'

/** One app in one storefront that the account watches (docs/contract.md, Storefronts). */
export const watchedApp = z
  .object({
    id: z.string().meta({ description: '`<store>:<app_id>:<country>`, for drop-downs.' }),
    name: z.string().meta({
      description: "The app's name as its store gives it; its id until the store provides the name.",
    }),
    store: z.enum(STORES),
    app_id: z.string(),
    country: z.enum(STOREFRONTS),
  })
  .meta({ id: 'WatchedApp' })
export type WatchedApp = z.infer<typeof watchedApp>

/** The account of the token. */
export const me = z
  .object({
    account_id: z.string(),
    account_name: z.string(),
    token_id: z.string(),
    token_name: z.string(),
  })
  .meta({ id: 'Me' })
export type Me = z.infer<typeof me>
