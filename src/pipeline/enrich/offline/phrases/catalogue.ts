import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { THEMES, type Theme } from '../../../../model/vocabulary.ts'
import type { Description } from '../read/described.ts'
import type { Feature } from '../read/request.ts'
import { CONCEPT_NAME_CHARS_MAX, CONCEPT_PARTS, CONCEPT_WEIGHTS, type Concept } from '../read/wish-slug.ts'
import { PhraseSyntaxError } from './pattern.ts'

/**
 * The features by their slugs: one a line, `slug | label | theme` with `-` for a feature that belongs to no theme, and
 * `| general` at will; or `slug | = other` below that other. Throws PhraseSyntaxError with the line that is none.
 */
export function loadCatalogue(): Map<string, Feature> {
  const features = new Map<string, Feature>()
  for (const parts of readList('features/catalogue.txt')) {
    const [slug = '', label = '', themeName = '', kind = ''] = parts
    const other = features.get(/^= ([a-z0-9-]+)$/.exec(label)?.[1] ?? '')
    if (other !== undefined) {
      features.set(slug, { ...other, slug, isGeneral: false })
      continue
    }
    const theme: Theme | null = THEMES.find((known) => known === themeName) ?? null
    const isKind = kind === '' || kind === 'general'
    if (!/^[a-z0-9-]{2,40}$/.test(slug) || label === '' || !isKind || (theme === null && themeName !== '-'))
      throw new PhraseSyntaxError(
        `features/catalogue.txt: "${parts.join(' | ')}" is not "slug | label | theme" with or without "| general", nor "slug | = other" below the other`,
      )
    features.set(slug, { slug, toldAs: slug, label, theme, isGeneral: kind === 'general' })
  }
  return features
}

/** The concepts by their names: one a line, `name | part | weight`. Throws PhraseSyntaxError with the line that is none. */
export function loadConcepts(): Map<string, Concept> {
  const concepts = new Map<string, Concept>()
  for (const parts of readList('concepts/concepts.txt')) {
    const [name = '', partName, weightName] = parts
    const part = CONCEPT_PARTS.find((known) => known === partName)
    const weight = CONCEPT_WEIGHTS.find((known) => known === weightName)
    const isName =
      /^[a-z]+(?:-[a-z]+)*$/.test(name) && name.length >= 2 && name.length <= CONCEPT_NAME_CHARS_MAX
    if (!isName || part === undefined || weight === undefined)
      throw new PhraseSyntaxError(
        `concepts/concepts.txt: "${parts.join(' | ')}" is not "name | ${CONCEPT_PARTS.join('/')} | ${CONCEPT_WEIGHTS.join('/')}"`,
      )
    concepts.set(name, { name, part, weight })
  }
  return concepts
}

/**
 * How features are described: one way a line, `feature = clue + clue`, `a / b` where one of two clues is enough, and
 * `feature > other / other = ...` where the names of others stand in the description. Throws PhraseSyntaxError with the line that
 * is none, or names no feature of `features`.
 */
export function loadDescriptions(features: { has(slug: string): boolean }): Description[] {
  return readList('clues/features.txt').map(([line = '']) => {
    const [meant = '', told = '', ...more] = line.split('=')
    const [slug = '', over = '', ...beyond] = meant.split('>').map((part) => part.trim())
    const ways = (text: string) => text.split('/').map((part) => part.trim())
    const outdone = over === '' ? [] : ways(over)
    const clues = told.split('+').map(ways)
    const areKnown = [slug, ...outdone].every((feature) => features.has(feature))
    if (
      more.length + beyond.length > 0 ||
      !areKnown ||
      clues.length < 2 ||
      !clues.flat().every((clue) => /^[a-z-]+$/.test(clue))
    )
      throw new PhraseSyntaxError(
        `clues/features.txt: "${line}" is not "feature = clue + clue" with features of the catalogue`,
      )
    return { slug, clues, outdone }
  })
}

/** The lines of a list, each cut at its bars. */
function readList(path: string): string[][] {
  return readFileSync(join(import.meta.dirname, '..', path), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((part) => part.trim()))
}
