/** What a team notes about a review in its account. It is no part of the review, so events and exports carry none of it. */
export const TRIAGE_STATUSES = ['new', 'seen', 'done'] as const
export type TriageStatus = (typeof TRIAGE_STATUSES)[number]

export type Triage = {
  readonly status: TriageStatus
  /** A member of the account, by their user id. */
  readonly assignee: string | null
  /** Normalized, in alphabetical order. */
  readonly tags: readonly string[]
  /** Oldest first. */
  readonly notes: readonly TriageNote[]
}

export type TriageNote = {
  readonly id: string
  readonly text: string
  /** The user; null for a note by a program. */
  readonly authorId: string | null
  /** At that time, because no other row names a removed user or token. */
  readonly author: string
  readonly atMs: number
}

/** Of a review that nobody has touched; it has no row. */
export const UNTOUCHED: Triage = { status: 'new', assignee: null, tags: [], notes: [] }

export const TAGS_MAX = 10
export const TAG_CHARS_MAX = 40
export const TAG_ALLOWED = `text of 1 to ${TAG_CHARS_MAX} characters, without commas, quotes and backslashes`
export const NOTES_MAX = 50
export const NOTE_CHARS_MAX = 1_000
/** Storage finds a tag in JSON by its quotes, and people separate tags by commas. Joiners stay: emoji need them. */
const FORBIDDEN = /[\p{Cc}\p{Cs}",\\]/u

/** The form in which a tag is stored and compared; null for a text that cannot be one. */
export function normalizedTag(text: string): string | null {
  const tag = text.normalize('NFC').toLowerCase().replace(/^\s*#/u, '').trim().replace(/\s+/gu, ' ')
  const chars = [...tag].length
  return chars === 0 || chars > TAG_CHARS_MAX || FORBIDDEN.test(tag) ? null : tag
}

export type TriageChange = {
  readonly status?: TriageStatus | undefined
  readonly assignee?: string | null | undefined
  /** Replaces all tags. */
  readonly tags?: readonly string[] | undefined
  readonly addTags?: readonly string[] | undefined
  readonly removeTags?: readonly string[] | undefined
}

/** What makes `before` of `now`. It names only what differs, so that a later change of anything else stays. */
export function undoOf(before: Triage, now: Triage): TriageChange {
  const removed = before.tags.filter((tag) => !now.tags.includes(tag))
  const added = now.tags.filter((tag) => !before.tags.includes(tag))
  return {
    ...(before.status !== now.status && { status: before.status }),
    ...(before.assignee !== now.assignee && { assignee: before.assignee }),
    ...(removed.length > 0 && { addTags: removed }),
    ...(added.length > 0 && { removeTags: added }),
  }
}

/** `tags` before `addTags` before `removeTags`, all normalized. The result may have too many tags. */
export function triaged(before: Triage, change: TriageChange): Triage {
  const tags = new Set([...(change.tags ?? before.tags), ...(change.addTags ?? [])])
  for (const tag of change.removeTags ?? []) tags.delete(tag)
  return {
    status: change.status ?? before.status,
    assignee: change.assignee === undefined ? before.assignee : change.assignee,
    tags: [...tags].sort(),
    notes: before.notes,
  }
}
