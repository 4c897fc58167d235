import { PhraseSyntaxError } from '../phrases/pattern.ts'

/** A wish as somebody words it, and the feature of the catalogue that it asks for. */
export type Example = { readonly slug: string; readonly text: string }

/**
 * Reads a table of wishes: `# remark`, `[slug]`, and below it one wish a line; an indented line goes on with the wish before it, a
 * blank between them. A section may come more than once. Throws PhraseSyntaxError naming file and line for a slug that `known` does
 * not hold and for a wish of no section.
 */
export function parseExamples(
  text: string,
  fileName: string,
  known: { has(slug: string): boolean },
): Example[] {
  const examples: Example[] = []
  let slug: string | undefined
  let wish: string | undefined
  const close = () => {
    if (slug !== undefined && wish !== undefined) examples.push({ slug, text: wish })
    wish = undefined
  }
  text.split('\n').forEach((raw, index) => {
    const line = raw.trimEnd()
    const refuse = (why: string): never => {
      throw new PhraseSyntaxError(`${fileName}:${index + 1}: ${why}`)
    }
    if (/^\s/.test(line)) {
      if (wish === undefined) refuse('an indented line without a wish before it')
      wish = `${wish} ${line.trim()}`
      return
    }
    close()
    if (line === '' || line.startsWith('#')) return
    if (line.startsWith('[')) {
      slug = /^\[([a-z0-9-]+)\]$/.exec(line)?.[1]
      if (slug === undefined || !known.has(slug)) refuse(`there is no feature ${line} in the catalogue`)
    } else if (slug === undefined) refuse('a wish before the first [slug]')
    else wish = line
  })
  close()
  return examples
}
