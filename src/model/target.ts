/** How a hook gets its events: as a signed webhook, or as a formatted message. */
export const TARGET_TYPES = ['webhook', 'slack', 'discord', 'telegram', 'teams', 'email', 'http'] as const
export type TargetType = (typeof TARGET_TYPES)[number]

/** The types whose events are sent as messages for people. */
export type FormattedTargetType = Exclude<TargetType, 'webhook'>
