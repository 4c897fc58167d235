import type { FormattedTargetType } from '../../model/target.ts'
import { discord } from './discord/discord.ts'
import { email } from './email/email.ts'
import { http } from './http/http.ts'
import { slack } from './slack/slack.ts'
import type { Target } from './target.ts'
import { teams } from './teams/teams.ts'
import { telegram } from './telegram/telegram.ts'

/** The types of formatted destinations. */
export const TARGETS: Readonly<Record<FormattedTargetType, Target<unknown>>> = {
  slack,
  discord,
  telegram,
  teams,
  email,
  http,
}
