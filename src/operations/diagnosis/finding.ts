/** One thing that was checked. A `problem` needs somebody to act, a `note` may explain something. */
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
