import { z } from 'zod'
import { PAUSED_REASONS } from '../model/mail-recipient.ts'

/** What a hook shows of its target (docs/contract.md, Formatted destinations). */
export const targetView = {
  target_fingerprint: z.string().nullable().meta({
    description:
      'Changes when the settings of the target change; null for `webhook`. `target_url` shows their host, without secrets.',
  }),
  unsubscribed_recipients: z
    .array(z.object({ address: z.string(), at: z.iso.datetime() }).meta({ id: 'UnsubscribedRecipient' }))
    .meta({
      description:
        'Recipients of an `email` destination who unsubscribed, with masked addresses such as `l…@example.com`.',
    }),
  unconfirmed_recipients: z
    .array(z.object({ address: z.string(), since: z.iso.datetime() }).meta({ id: 'UnconfirmedRecipient' }))
    .meta({
      description:
        'Recipients of an `email` destination who have not confirmed their address yet and get no e-mails, with masked addresses.',
    }),
  paused_reason: z.enum(PAUSED_REASONS).nullable().meta({
    description:
      '`all_unsubscribed`: the hook was paused because no recipient is left. `unconfirmed`: no recipient has confirmed yet; the first one who does resumes the hook. Null otherwise, also when somebody paused it.',
  }),
} as const
