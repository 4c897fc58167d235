import { AlertsBody, type AlertsPage, type AlertsSaved } from '../../contract/console/alerts.ts'
import type { SecretShown } from '../../contract/console/destinations.ts'
import type { Operations } from '../../operations/operations.ts'
import { type Route, route } from '../route.ts'

export type AlertRouteDeps = { readonly operations: Pick<Operations, 'alerts'> }

/** Alerts of the account by e-mail and by webhook. */
export function alertRoutes({ operations: { alerts } }: AlertRouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/alerts',
      async run({ caller }): Promise<AlertsPage> {
        const { settings, hasMailServer, recent } = await alerts.show(caller.accountId)
        return {
          settings: {
            enabled: settings.enabled,
            emails: [...settings.emails],
            webhook_url: settings.webhookUrl,
          },
          canEmail: hasMailServer,
          recent: recent.map(({ seq, channel, title, createdAt, status, attempts, problem }) => ({
            id: String(seq),
            channel,
            title,
            createdAt: createdAt.toISOString(),
            status,
            attempts,
            problem,
          })),
        }
      },
    }),

    route({
      method: 'PUT',
      path: '/alerts',
      access: 'owner',
      body: AlertsBody,
      async run({ caller, body: { webhook_url, ...settings } }): Promise<AlertsSaved> {
        return { secret: await alerts.save(caller.accountId, { ...settings, webhookUrl: webhook_url }) }
      },
    }),

    route({
      method: 'POST',
      path: '/alerts/secret',
      access: 'owner',
      async run({ caller }): Promise<SecretShown> {
        return { secret: await alerts.newSecret(caller.accountId) }
      },
    }),

    route({
      method: 'POST',
      path: '/alerts/test',
      access: 'owner',
      run: ({ caller }) => alerts.sendTest(caller.accountId),
    }),
  ]
}
