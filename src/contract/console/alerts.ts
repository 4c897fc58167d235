import { z } from 'zod'

/** `PUT /api/console/alerts`. The service checks the addresses and the URL further. */
export const AlertsBody = z.object({
  enabled: z.boolean({ error: 'enabled: true or false' }),
  emails: z
    .array(z.string().trim().max(254, 'emails: at most 254 characters each'), { error: 'emails: a list' })
    .max(100, 'emails: at most 100'),
  webhook_url: z.string({ error: 'webhook_url: a URL or null' }).trim().max(2048).nullable(),
})
export type AlertsBody = z.infer<typeof AlertsBody>

/** The signing secret of the webhook if it is new, else null. */
export type AlertsSaved = { readonly secret: string | null }

export type AlertLine = {
  readonly id: string
  readonly channel: 'email' | 'webhook'
  readonly title: string
  readonly createdAt: string
  readonly status: 'pending' | 'sent' | 'failed'
  readonly attempts: number
  readonly problem: string | null
}

/** `GET /api/console/alerts` */
export type AlertsPage = {
  readonly settings: AlertsBody
  /** Whether the installation has a mail server. */
  readonly canEmail: boolean
  readonly recent: readonly AlertLine[]
}
