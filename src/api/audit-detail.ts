import { counted as countedWords } from '../model/counted.ts'

/** Parts of the details of audit log entries. */

/** The schema of the route defines its fields; a rule treats a missing field as empty. */
export type Fields = Readonly<Record<string, unknown>>

export function changesOf({ name, description, watches, redirect, ...body }: Fields): string | null {
  const { target_type: type, target_url: url, rate_per_second: rate, message_schedule: schedule } = body
  const parts = [
    name === undefined ? null : name === null || name === '' ? 'no name' : `name ${name}`,
    description === undefined ? null : 'description',
    type == null && url == null ? null : `target ${targetOf(type, url)}`,
    body.target_settings == null ? null : 'target settings',
    rate === undefined ? null : rate === null ? 'no rate limit' : `${rate} per second`,
    body.cloudevents == null ? null : `CloudEvents ${body.cloudevents === true ? 'on' : 'off'}`,
    redirect == null ? null : `redirects ${redirect === 'accept' ? 'accepted' : 'fail'}`,
    body.late_reviews_hours == null ? null : `late reviews of ${counted(body.late_reviews_hours, 'hour')}`,
    schedule === undefined ? null : schedule === null ? 'no schedule' : 'schedule',
    watches === undefined ? null : counted(listOf(watches).length, 'subscription'),
  ]
  return parts.filter((part) => part !== null).join(', ') || null
}

export function recoveryOf({ since, delivered }: Fields): string {
  const from = since instanceof Date ? since.toISOString() : String(since)
  return `since ${from}${delivered === true ? ', with delivered events' : ''}`
}

export function alertsOf({ enabled, emails, webhook_url }: Fields): string {
  if (enabled !== true) return 'off'
  const webhook = webhook_url === null ? [] : [hostOf(webhook_url)]
  return `to ${[...listOf(emails), ...webhook].join(', ') || 'nobody'}`
}

/** The type of a target, or the host of a webhook. */
export function targetOf(type: unknown, url: unknown): string {
  return url == null ? String(type) : hostOf(url)
}

/** The host without the path, which may contain a secret. */
export function hostOf(url: unknown): string {
  const parsed = URL.parse(String(url))
  return parsed?.host || (parsed?.protocol ?? '')
}

/** The changed fields of a triage, and with `answer` the name of the assignee. */
export function triageOf(
  { status, assignee, tags, add_tags, remove_tags }: Fields,
  answer: Fields = {},
): string | null {
  const { name } = (answer.assignee ?? {}) as Fields
  const tagsOf = (given: unknown) => listOf(given).join(', ') || 'none'
  const parts = [
    status === undefined ? null : `status ${status}`,
    assignee === undefined
      ? null
      : assignee === null
        ? 'assigned to nobody'
        : `assigned to ${name ?? assignee}`,
    tags === undefined ? null : `tags ${tagsOf(tags)}`,
    add_tags === undefined ? null : `added ${tagsOf(add_tags)}`,
    remove_tags === undefined ? null : `removed ${tagsOf(remove_tags)}`,
  ]
  return parts.filter((part) => part !== null).join(', ') || null
}

/**
 * The change of the first one stands for all that have the same. The texts of tags are left out: the entry names no review, so that an
 * erased one could not take them along.
 */
export function severalTriaged({ reviews }: Fields, { changed }: Fields): string {
  const changes = new Set(listOf(reviews).map((each) => withoutTags(each as Fields)))
  const [only] = changes
  return `${counted(changed, 'review')}${changes.size === 1 && only != null ? `: ${only}` : ''}`
}

function withoutTags({ tags, add_tags, remove_tags, ...others }: Fields): string | null {
  const hasTags = [tags, add_tags, remove_tags].some((field) => field !== undefined)
  return [triageOf(others), hasTags ? 'tags' : null].filter((part) => part !== null).join(', ') || null
}

/** Of a count in a body or an answer. */
export function counted(count: unknown, one: string, many?: string): string {
  return countedWords(Number(count), one, many)
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
