import { permanent, waitOf } from '../failures.ts'
import type { TargetAnswer, TargetFailure } from '../target.ts'

/** The texts in the answers of incoming webhooks. Slack can add an explanation after a colon. */
const FAILURES: Readonly<Record<string, TargetFailure>> = {
  channel_not_found: permanent(
    'channel_gone',
    'The Slack channel no longer exists. Create an incoming webhook for another channel and save its URL.',
  ),
  channel_is_archived: permanent(
    'channel_gone',
    'The Slack channel is archived. Unarchive it, or create an incoming webhook for another channel and save its URL.',
  ),
  user_not_found: permanent(
    'channel_gone',
    'The Slack user of this webhook no longer exists. Create an incoming webhook for a channel and save its URL.',
  ),
  ...sameFor(
    ['no_service', 'no_service_id', 'no_active_hooks', 'invalid_token'],
    permanent(
      'access_revoked',
      'The incoming webhook was removed or turned off in Slack. Create a new one and save its URL.',
    ),
  ),
  ...sameFor(
    ['no_team', 'team_disabled', 'account_inactive'],
    permanent('access_revoked', 'The Slack workspace of this webhook is no longer active.'),
  ),
  ...sameFor(
    ['action_prohibited', 'posting_to_general_channel_denied'],
    permanent(
      'posting_forbidden',
      'Slack does not let this webhook post to the channel. Ask an administrator of the workspace, or choose another channel.',
    ),
  ),
  ...sameFor(
    [
      'invalid_payload',
      'invalid_blocks',
      'invalid_blocks_format',
      'no_text',
      'msg_too_long',
      'msg_blocks_too_long',
    ],
    permanent('message_rejected', 'Slack rejected the format of the message.'),
  ),
}

export function slackFailureOf(answer: TargetAnswer): TargetFailure | null {
  if (answer.status === 429) return waitOf(answer.headers['retry-after'])
  if (answer.status < 400 || answer.status > 499) return null
  const code = /^[a-z_]+/.exec(answer.body.trim())?.[0] ?? ''
  if (Object.hasOwn(FAILURES, code)) return FAILURES[code] ?? null
  if (answer.status === 404 || answer.status === 410) return FAILURES.no_service ?? null
  return null
}

function sameFor(codes: readonly string[], failure: TargetFailure): Record<string, TargetFailure> {
  return Object.fromEntries(codes.map((code) => [code, failure]))
}
