import { STOREFRONTS, type Storefront } from '../../../model/vocabulary.ts'

/**
 * The storefronts of a watch in its column `storefront`: codes separated by commas, so that a watch of one storefront
 * is stored as before watches had several. Null covers every storefront.
 */
export function storefrontsText(storefronts: readonly Storefront[] | null): string | null {
  return storefronts === null ? null : storefronts.join(',')
}

export function storefrontsOf(text: string | null): Storefront[] | null {
  if (text === null) return null
  const codes = text.split(',')
  return STOREFRONTS.filter((storefront) => codes.includes(storefront))
}

/** A condition on both engines: the column `text` of a watch has the storefront `code`. */
export function hasStorefront(text: string, code: string): string {
  return `',' || ${text} || ',' like '%,' || ${code} || ',%'`
}

/** A table of all storefronts on both engines, with the column `code`. */
export const ALL_STOREFRONTS = `(${STOREFRONTS.map((code) => `select '${code}' as code`).join(' union all ')})`
