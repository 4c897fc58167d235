import type { Incident } from '../../model/incident.ts'
import type { AccountFailures } from '../../storage/port/reports.ts'
import { problem } from './finding.ts'
import { counted } from './words.ts'

/** The active destinations of an account whose last attempts failed, and its dead letters. */
export function destinationIncidents({ hooks, dead }: AccountFailures): Incident[] {
  const incidents = hooks.longest.map(({ id, name, targetUrl, failingSince, pending }) =>
    problem(`destination ${id}`, `Attempts to ${name ?? targetUrl.replace(/^mailto:/, '')} fail.`, {
      since: failingSince,
      effect: pending === 0 ? null : `${counted(pending, 'event')} pending.`,
      handling: 'Each event is retried. After its last attempt it is a dead letter.',
      action: 'See the last answer of the receiver, and repair it.',
      page: `/destinations/${encodeURIComponent(id)}`,
    }),
  )
  const others = hooks.total - hooks.longest.length
  if (others > 0) {
    const what = `Attempts to ${counted(others, 'other destination')} fail.`
    incidents.push(problem('other destinations', what, { page: '/destinations?state=failing' }))
  }
  if (dead > 0) {
    incidents.push(
      problem('dead_letters', `${counted(dead, 'dead letter')}: events that no receiver accepted.`, {
        handling: 'They are kept until they are replayed or discarded.',
        action: 'See the reasons, repair the receiver, then replay them.',
        page: '/dead-letters',
      }),
    )
  }
  return incidents
}
