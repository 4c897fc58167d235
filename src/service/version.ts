import { readFileSync } from 'node:fs'

/** The running version, as in package.json. */
export const VERSION = versionOf(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

function versionOf(packageJson: string): string {
  const { version } = JSON.parse(packageJson) as { readonly version: string }
  return version
}
