/** The clue that something is wanted or suffered: of no feature, but it makes a description a wish. */
export const WANTING = 'wanting'

/** A feature as people describe it who do not name it: one of each of `clues` must be heard. */
export type Description = {
  readonly slug: string
  readonly clues: readonly (readonly string[])[]
  /** Features whose names the description holds: a timer that ends the music when I sleep is a sleep timer. */
  readonly outdone: readonly string[]
}

/**
 * The way in which `heard`, the clues of a sentence, describe a feature: of several the one with the most clues, of equals the
 * first of `descriptions`. Undefined when they describe none.
 */
export function describedFeature(
  heard: ReadonlySet<string>,
  descriptions: readonly Description[],
): Description | undefined {
  let best: Description | undefined
  for (const description of descriptions) {
    if (description.clues.length <= (best?.clues.length ?? 0)) continue
    if (description.clues.every((ways) => ways.some((clue) => heard.has(clue)))) best = description
  }
  return best
}
