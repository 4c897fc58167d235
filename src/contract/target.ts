import { z } from 'zod'
import { TARGET_TYPES } from '../model/target.ts'
import { oneOf, says, saysUnquoted } from './field.ts'

export const targetType = z
  .enum(TARGET_TYPES, says('target_type', oneOf(TARGET_TYPES)))
  .nullish()
  .meta({
    default: 'webhook',
    description:
      'How the hook gets its events: as a signed webhook, a chat message, an e-mail, or a request that you define.',
  })

export const targetSettings = z
  .record(
    z.string(),
    z.unknown(),
    saysUnquoted('target_settings', 'an object with the settings of the target type'),
  )
  .nullish()
  .meta({
    description:
      'Settings of a `target_type` other than `webhook`, such as `webhook_url` for Slack. They replace `target_url`, are stored encrypted and never shown again.',
  })

/** Only a webhook has its URL outside the settings. Also checked beside errors of other fields. */
export function hasTargetUrl(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return true
  const { target_type: type, target_url: url } = body as Readonly<Record<string, unknown>>
  return (type != null && type !== 'webhook') || url != null
}
