import type { Routes } from '../../contract/routes.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type AlertRouteDeps = { readonly operations: Pick<Operations, 'alerts'> }

export function alertRoutes(table: Routes, { operations: { alerts } }: AlertRouteDeps) {
  return {
    show_alerts: apiRoute(table.show_alerts, async ({ caller }) => {
      const { settings, recipients, hasMailServer, recent } = await alerts.show(caller.accountId)
      const addressesOf = (wanted: (typeof recipients)[number]['state']) =>
        recipients.filter(({ state }) => state === wanted).map(({ address }) => address)
      return {
        settings: {
          enabled: settings.enabled,
          emails: [...settings.emails],
          webhook_url: settings.webhookUrl,
        },
        unconfirmed_emails: addressesOf('unconfirmed'),
        unsubscribed_emails: addressesOf('unsubscribed'),
        can_email: hasMailServer,
        recent: recent.map(({ seq, channel, title, createdAt, status, attempts, problem }) => ({
          id: String(seq),
          channel,
          title,
          created_at: createdAt.toISOString(),
          status,
          attempts,
          problem,
        })),
      }
    }),

    change_alerts: apiRoute(table.change_alerts, async ({ caller, body: { webhook_url, ...settings } }) => ({
      secret: await alerts.save(caller.accountId, { ...settings, webhookUrl: webhook_url }),
    })),

    create_alert_secret: apiRoute(table.create_alert_secret, async ({ caller }) => ({
      secret: await alerts.newSecret(caller.accountId),
    })),

    test_alerts: apiRoute(table.test_alerts, async ({ caller }) => {
      await alerts.sendTest(caller.accountId)
      return undefined
    }),

    ask_alert_recipient: apiRoute(table.ask_alert_recipient, async ({ caller, body }) => {
      await alerts.askToSubscribe(caller.accountId, body.email)
      return undefined
    }),
  } as const satisfies Record<string, Route>
}
