/** The result of one check. A `problem` requires action; a `note` is for information. */
export type Finding = { readonly grade: 'ok' | 'note' | 'problem'; readonly text: string }

export function ok(text: string): Finding {
  return { grade: 'ok', text }
}

export function note(text: string): Finding {
  return { grade: 'note', text }
}

export function problem(text: string): Finding {
  return { grade: 'problem', text }
}
