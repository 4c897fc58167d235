import { z } from 'zod'
import { FAILURE_REASONS } from '../model/vocabulary.ts'

const phase = z.number().nullable()

/**
 * One request to a target (docs/contract.md, Test events and samples). The response headers and body are untrusted: they come from the
 * target.
 */
const attemptFields = {
  accepted: z.boolean().meta({ description: 'The target answered 200 to 299.' }),
  reason: z
    .enum(FAILURE_REASONS)
    .nullable()
    .meta({ description: 'Reason of the failure; null when accepted.' }),
  detail: z.string().nullable(),
  started_at: z.iso.datetime(),
  url: z.string(),
  request_headers: z.record(z.string(), z.string()).meta({ description: 'Signatures are masked.' }),
  message: z.string().nullable().meta({
    description:
      'What a formatted destination was sent: the body of the request, or subject and text of the e-mail to the first recipient. Without secrets, at most 16 KiB, 4 KiB of a message with several events. Null for a webhook.',
  }),
  http_status: z.int().nullable(),
  response_headers: z.record(z.string(), z.string()),
  response_body: z.string().meta({ description: 'The first 16 KiB; empty without a response.' }),
  response_truncated: z.boolean(),
  remote_address: z.string().nullable().meta({
    description:
      'The connected address. Only for the operator of the installation in the console; null for tokens.',
  }),
  timings_ms: z
    .object({ dns: phase, connect: phase, tls: phase, first_byte: phase, total: z.number() })
    .meta({
      id: 'Timings',
      description: 'Milliseconds of each phase; null for a phase that did not happen.',
    }),
}

/** The attempt of a test event. */
export const attemptView = z
  .object({
    event_id: z.string(),
    ...attemptFields,
    request_body: z.string().meta({
      description:
        'The event: the exact bytes that were signed and sent. A formatted destination gets `message` instead.',
    }),
  })
  .meta({
    id: 'Attempt',
    description:
      'The attempt of a test event. What the target answered is untrusted: escape it before you show it.',
  })
export type AttemptView = z.infer<typeof attemptView>

/** An attempt of a delivery. */
export const deliveryAttempt = z.object({ number: z.int(), ...attemptFields }).meta({ id: 'DeliveryAttempt' })
export type DeliveryAttempt = z.infer<typeof deliveryAttempt>
/** What both kinds of attempts show. */
export type AttemptRequest = Omit<DeliveryAttempt, 'number'>
