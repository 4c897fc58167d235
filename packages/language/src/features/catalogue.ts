import { THEMES, type Theme } from '../../../../src/model/vocabulary.ts'
import { listOf } from '../phrases/list.ts'
import { PhraseSyntaxError } from '../phrases/pattern.ts'
import type { Feature } from './feature.ts'

/**
 * The features by slug. Each line is `slug | label | theme`, with `-` for no theme and an optional `| general`; or `slug | = other`, below
 * the line of `other`. Throws PhraseSyntaxError that quotes an invalid line.
 */
export function loadCatalogue(text: string): Map<string, Feature> {
  const features = new Map<string, Feature>()
  for (const parts of listOf(text)) {
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
        `features.txt: "${parts.join(' | ')}" is not "slug | label | theme" with an optional "| general", nor "slug | = other" below the line of "other"`,
      )
    features.set(slug, { slug, reportedAs: slug, label, theme, isGeneral: kind === 'general' })
  }
  return features
}
