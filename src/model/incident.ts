/**
 * Something that does not work at present, with one cause. The status page, `radar doctor` and the strip on each page show it in the same
 * words.
 */
export type Incident = {
  /** A `problem` requires action; a `note` is for information. */
  readonly grade: 'problem' | 'note'
  /** The same while the cause lasts, and unique in a list. */
  readonly key: string
  /** Sentences, like those below. */
  readonly what: string
  readonly since: Date | null
  readonly effect: string | null
  /** What the service does about it. */
  readonly handling: string | null
  /** What a person should do. */
  readonly action: string | null
  /** Where, as a path of the console. */
  readonly page: string | null
}

/** All of its sentences, for terminals. */
export function incidentText({ what, since, effect, handling, action }: Incident): string {
  const from = since === null ? null : `Since ${since.toISOString()}.`
  return [what, from, effect, handling, action].filter((part) => part !== null).join(' ')
}

/** Problems before notes, and of each the one that has lasted longest first; those without a time are last. */
export function worstFirst(incidents: readonly Incident[]): Incident[] {
  const rank = ({ grade }: Incident) => (grade === 'problem' ? 0 : 1)
  const from = ({ since }: Incident) => since?.getTime() ?? Number.MAX_SAFE_INTEGER
  return incidents.toSorted((one, other) => rank(one) - rank(other) || from(one) - from(other))
}
