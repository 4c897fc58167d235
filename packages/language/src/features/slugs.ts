import { readFileSync } from 'node:fs'
import { loadCatalogue } from './catalogue.ts'

/** The keys of the features that this package knows. */
export function featureSlugs(): ReadonlySet<string> {
  return new Set(
    loadCatalogue(readFileSync(new URL('../../data/shared/features.txt', import.meta.url), 'utf8')).keys(),
  )
}
