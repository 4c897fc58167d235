import { counted } from '../../model/counted.ts'
import type { HookName } from '../../model/hook.ts'
import type { Incident } from '../../model/incident.ts'
import type { AccountFailures } from '../../storage/port/reports.ts'
import { note, problem } from './finding.ts'

/** The active destinations of an account whose last attempts failed, and its dead letters. */
export function destinationIncidents({ hooks, dead }: AccountFailures): Incident[] {
  const incidents = hooks.longest.map(({ id, failingSince, pending, ...names }) =>
    problem(`destination ${id}`, `Deliveries to ${shownName(names)} fail.`, {
      since: failingSince,
      effect: pendingText(pending),
      handling: 'Each event is retried. After its last attempt it becomes a dead letter.',
      action: "Check the receiver's last response, and fix the receiver.",
      page: `/destinations/${encodeURIComponent(id)}`,
    }),
  )
  const others = hooks.total - hooks.longest.length
  if (others > 0) {
    const what = `Deliveries to ${counted(others, 'other destination')} fail.`
    incidents.push(problem('other destinations', what, { page: '/destinations?state=failing' }))
  }
  if (dead > 0) {
    incidents.push(
      problem('dead_letters', `${counted(dead, 'dead letter')}: events that no receiver accepted.`, {
        handling: 'They are kept until they are replayed or discarded.',
        action: 'Check the reasons, fix the receiver, then replay the events.',
        page: '/dead-letters',
      }),
    )
  }
  return incidents
}

/** `because`: a sentence with what to do. */
export function pausedMailIncident(
  { id, pending, ...names }: HookName & { readonly id: string; readonly pending: number },
  because: string,
): Incident {
  return note(`mails ${id}`, `The e-mails of ${shownName(names)} are paused.`, {
    effect: pendingText(pending),
    action: because,
    page: `/destinations/${encodeURIComponent(id)}`,
  })
}

function shownName({ name, targetUrl }: HookName): string {
  return name ?? targetUrl.replace(/^mailto:/, '')
}

function pendingText(pending: number): string | null {
  return pending === 0 ? null : `${counted(pending, 'event')} pending.`
}
