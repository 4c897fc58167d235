/** `Dark mode` for the slug `dark_mode` or `dark-mode`. */
export function featureName(slug: string): string {
  const words = slug.replace(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
