import type { Trouble } from '../../model/trouble.ts'

/** The result of one check. */
export type Finding = { readonly grade: 'ok'; readonly text: string } | Trouble

type Details = Partial<Omit<Trouble, 'grade' | 'key' | 'what'>>

const NONE = { since: null, effect: null, handling: null, action: null, page: null } as const

export function ok(text: string): Finding {
  return { grade: 'ok', text }
}

/** `key`: see `Trouble`. */
export function note(key: string, what: string, details: Details = {}): Trouble {
  return { ...NONE, grade: 'note', key, what, ...details }
}

/** `key`: see `Trouble`. */
export function problem(key: string, what: string, details: Details = {}): Trouble {
  return { ...NONE, grade: 'problem', key, what, ...details }
}

export function isTrouble(finding: Finding): finding is Trouble {
  return finding.grade !== 'ok'
}
