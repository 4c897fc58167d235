import type { Incident } from '../../model/incident.ts'

/** The result of one check. */
export type Finding = { readonly grade: 'ok'; readonly text: string } | Incident

type Details = Partial<Omit<Incident, 'grade' | 'key' | 'what'>>

const NONE = { since: null, effect: null, handling: null, action: null, page: null } as const

export function ok(text: string): Finding {
  return { grade: 'ok', text }
}

/** `key`: see `Incident`. */
export function note(key: string, what: string, details: Details = {}): Incident {
  return { ...NONE, grade: 'note', key, what, ...details }
}

/** `key`: see `Incident`. */
export function problem(key: string, what: string, details: Details = {}): Incident {
  return { ...NONE, grade: 'problem', key, what, ...details }
}

export function isIncident(finding: Finding): finding is Incident {
  return finding.grade !== 'ok'
}
