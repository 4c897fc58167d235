/** The types whose events are sent as messages for people. */
export const FORMATTED_TARGET_TYPES = ['slack', 'discord', 'telegram', 'teams', 'email', 'http'] as const
export type FormattedTargetType = (typeof FORMATTED_TARGET_TYPES)[number]

/** How a hook gets its events: as a signed webhook, or as a formatted message. */
export const TARGET_TYPES = ['webhook', ...FORMATTED_TARGET_TYPES] as const
export type TargetType = (typeof TARGET_TYPES)[number]
