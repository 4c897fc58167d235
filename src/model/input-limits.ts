/**
 * Limits of input from people and programs. The schemas of the contract, the operations and the commands share them.
 */

/** The name of a person, an account or an API token. */
export const NAME_CHARS_MAX = 100
/** Characters of an answer template: Apple's limit of an answer. A store with a lower limit refuses the answer, not the template. */
export const TEMPLATE_CHARS_MAX = 5_970
/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
export const EMAIL_CHARS_MAX = 254
export const PASSWORD_CHARS = { min: 10, max: 128 } as const

/** Event ids in one call that replays or discards dead letters. A filter selects more. */
export const EVENT_IDS_MAX = 500
/** Hooks in one call that pauses, resumes or retries several. */
export const HOOK_IDS_MAX = 1_000
/** Reviews that a person selects in a list, and reviews in one call that answers or triages several. A person reads each answer before. */
export const REVIEWS_SELECTED_MAX = 100
/** Seconds in which an answer can be undone before it is sent. A person gets `person`; an API call sends at once unless it asks. */
export const UNDO_SECONDS = { person: 30, max: 300 } as const
/** The rate at which a bulk replay queues dead letters, per second. */
export const REPLAY_RATE = { min: 0.1, max: 1_000, default: 10 } as const
/** Receivers can return any three digits. */
export const HTTP_STATUS = { min: 100, max: 999 } as const
/** The lifetime of a token. */
export const TOKEN_DAYS = { min: 1, max: 3_650 } as const

/** Characters of the name of a saved view, which a menu shows in one line. */
export const VIEW_NAME_CHARS_MAX = 60
