import { z } from 'zod'
import { ALERT_EMAILS_MAX } from '../../model/alert.ts'
import { MAIL_ADDRESS, MAIL_ADDRESS_CHARS_MAX, withAsciiDomain } from '../../model/mail-address.ts'
import { OBJECT, says } from '../field.ts'
import type { Route } from '../route.ts'
import { newSecret } from './hook-actions.ts'

const emails = says('emails', `a list of at most ${ALERT_EMAILS_MAX} e-mail addresses`)
const url = says('webhook_url', 'an http or https URL, or null')

/** The operation checks the URL further, and whether there is a mail server. */
export const alertSettings = z
  .object(
    {
      enabled: z.boolean(says('enabled', 'true or false')),
      emails: z
        .array(
          z
            .string(emails)
            .trim()
            .overwrite(withAsciiDomain)
            .max(MAIL_ADDRESS_CHARS_MAX, emails)
            .regex(MAIL_ADDRESS, emails),
          emails,
        )
        .max(ALERT_EMAILS_MAX, emails),
      webhook_url: z.string(url).trim().max(2048, url).nullable(),
    },
    OBJECT,
  )
  .meta({
    id: 'AlertSettings',
    examples: [{ enabled: true, emails: [], webhook_url: 'https://example.com/radar' }],
  })
export type AlertSettings = z.infer<typeof alertSettings>

const alert = z
  .object({
    id: z.string(),
    channel: z.enum(['email', 'webhook']),
    title: z.string(),
    created_at: z.iso.datetime(),
    status: z.enum(['pending', 'sent', 'failed']),
    attempts: z.int(),
    problem: z.string().nullable().meta({ description: 'The last error; null without one.' }),
  })
  .meta({ id: 'Alert' })
export type AlertLine = z.infer<typeof alert>

const alerts = z
  .object({
    settings: alertSettings,
    unconfirmed_emails: z.array(z.string()).meta({
      description: 'Addresses that have not confirmed yet, and get no alerts.',
    }),
    unsubscribed_emails: z.array(z.string()).meta({
      description: 'Addresses that unsubscribed, and get no alerts until they subscribe again.',
    }),
    can_email: z.boolean().meta({ description: 'Whether the installation has a mail server.' }),
    recent: z.array(alert).meta({ description: 'The newest alerts, one per channel, newest first.' }),
  })
  .meta({ id: 'Alerts' })
export type AlertsPage = z.infer<typeof alerts>

const saved = z
  .object({
    secret: z.string().nullable().meta({
      description: 'The signing secret of the webhook if it is new, else null. Shown in this response only.',
    }),
  })
  .meta({ id: 'SavedAlerts' })
export type AlertsSaved = z.infer<typeof saved>

const recipient = says('email', 'an address of the alerts')
const alertRecipient = z
  .object(
    {
      email: z
        .string(recipient)
        .trim()
        .overwrite(withAsciiDomain)
        .max(MAIL_ADDRESS_CHARS_MAX, recipient)
        .regex(MAIL_ADDRESS, recipient),
    },
    OBJECT,
  )
  .meta({ id: 'AlertRecipient', examples: [{ email: 'team@example.com' }] })

export const alertRoutes = {
  show_alerts: {
    method: 'GET',
    path: '/alerts',
    tag: 'Account',
    scopes: ['operate'],
    summary: 'Show the alerts',
    description: 'The recipients of alerts about the account, and the newest alerts.',
    success: { status: 200, description: 'The settings and the alerts.', schema: alerts },
    errors: {},
  },
  change_alerts: {
    method: 'PUT',
    path: '/alerts',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Set who gets alerts',
    description:
      'Replaces the recipients. A new address gets an e-mail with a link, and alerts once its owner has confirmed. The first URL gets a signing secret.',
    body: alertSettings,
    success: { status: 200, description: 'The settings are stored.', schema: saved },
    errors: { 400: 'A field is missing or invalid; the message names it and the allowed values.' },
  },
  create_alert_secret: {
    method: 'POST',
    path: '/alerts/secret',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Replace the secret of alerts',
    description: 'Replaces the signing secret of the webhook at once.',
    success: { status: 200, description: 'The new secret.', schema: newSecret },
    errors: { 409: 'Alerts have no URL.' },
  },
  test_alerts: {
    method: 'POST',
    path: '/alerts/test',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Send a test alert',
    description:
      'Queues a test alert for each channel. The limit of test events includes them. Addresses that have not confirmed yet get the confirmation again instead.',
    success: { status: 204, description: 'The test alerts are queued.' },
    errors: { 409: 'Alerts have neither an address nor a URL, or all recipients unsubscribed.' },
  },
  ask_alert_recipient: {
    method: 'POST',
    path: '/alerts/ask',
    tag: 'Account',
    scopes: ['operate'],
    session: 'owner',
    summary: 'Ask a recipient of alerts',
    description:
      'Sends an e-mail with a link to an address of the alerts that has not confirmed, or that unsubscribed. It gets alerts once its owner has followed the link.',
    body: alertRecipient,
    success: { status: 204, description: 'The e-mail is sent.' },
    errors: {
      400: 'The address is missing or invalid.',
      404: 'Alerts have no such address.',
      409: 'The address gets alerts already, or the installation has no mail server or public URL.',
    },
  },
} as const satisfies Record<string, Route>
