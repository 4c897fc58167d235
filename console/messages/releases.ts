/** Texts about releases of an app in charts. */
export const releaseTexts = {
  releases: 'Releases:',
  /** `null`: the store names no version. */
  name: (version: string | null) => (version === null ? 'Update' : version),
  atCursor: (version: string | null) => (version === null ? 'App update' : `Release ${version}`),
  dated: (name: string, day: string) => `${name} on ${day}`,
  more: (count: string) => `and ${count} earlier`,
} as const
