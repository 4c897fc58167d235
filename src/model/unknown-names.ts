import { nearest } from './nearest.ts'

/** A name that a caller may have made up is shown up to this length. */
const SHOWN_CHARS_MAX = 40
/** More are not reported, so that the work and the answer stay small. */
const NAMES_MAX = 5

/** A sentence for each of the first names in `given` that are not `known`, with the nearest one or all. `what` is what they are. */
export function unknownNames(given: unknown, known: readonly string[], what: string): string[] {
  return Object.keys(typeof given === 'object' && given !== null ? given : {})
    .filter((name) => !known.includes(name))
    .slice(0, NAMES_MAX)
    .map((name) => {
      const near = nearest(name.slice(0, SHOWN_CHARS_MAX), known)
      const help = near === null ? `Known: ${known.join(', ') || 'none'}.` : `Did you mean ${near}?`
      return `${JSON.stringify(name.slice(0, SHOWN_CHARS_MAX))} is not ${what}. ${help}`
    })
}
