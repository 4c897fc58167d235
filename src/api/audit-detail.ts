/** Parts of the details of audit log entries. */

/** The schema of the route defines its fields; a rule treats a missing field as empty. */
export type Fields = Readonly<Record<string, unknown>>

export function changesOf({
  targetType,
  targetUrl,
  targetSettings,
  ratePerSecond,
  name,
  description,
  watches,
  cloudEvents,
  redirect,
  messageSchedule,
}: Fields): string | null {
  const parts = [
    name === undefined ? null : name === null || name === '' ? 'no name' : `name ${name}`,
    description === undefined ? null : 'description',
    targetType == null && targetUrl == null ? null : `target ${targetOf(targetType, targetUrl)}`,
    targetSettings == null ? null : 'target settings',
    ratePerSecond === undefined
      ? null
      : ratePerSecond === null
        ? 'no rate limit'
        : `${ratePerSecond} per second`,
    cloudEvents == null ? null : `CloudEvents ${cloudEvents === true ? 'on' : 'off'}`,
    redirect == null ? null : `redirects ${redirect === 'accept' ? 'accepted' : 'fail'}`,
    messageSchedule === undefined ? null : messageSchedule === null ? 'no schedule' : 'schedule',
    watches === undefined ? null : counted(listOf(watches).length, 'subscription'),
  ]
  return parts.filter((part) => part !== null).join(', ') || null
}

export function alertsOf({ enabled, emails, webhookUrl }: Fields): string {
  if (enabled !== true) return 'off'
  const webhook = webhookUrl === null ? [] : [hostOf(webhookUrl)]
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

export function counted(count: unknown, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
