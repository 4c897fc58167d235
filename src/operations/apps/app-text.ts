import type { Store } from '../../model/vocabulary.ts'

/** The meaning of the text of an app search: an app, or words to search for. */
export type AppText =
  | { readonly kind: 'app'; readonly store: Store; readonly appId: string; readonly sure: boolean }
  | { readonly kind: 'words' }

/** Ids in use have 9 or 10 digits; shorter numbers are names of games. */
const APPLE_ID = /^(?:id)?(\d{8,12})$/i
/** https://developer.android.com/build/configure-app-module: at least two parts, each starting with a letter. */
const PACKAGE = /^[a-z][\w]*(?:\.[a-z][\w]*)+$/i

/** `sure` is false for a package name, because an app's name may have a dot too, such as booking.com. */
export function appTextOf(text: string): AppText {
  const trimmed = text.trim()
  const linked = ofLink(trimmed)
  if (linked !== null) return { kind: 'app', ...linked, sure: true }
  const appleId = APPLE_ID.exec(trimmed)?.[1]
  if (appleId !== undefined) return { kind: 'app', store: 'apple', appId: appleId, sure: true }
  if (PACKAGE.test(trimmed)) return { kind: 'app', store: 'google', appId: trimmed, sure: false }
  return { kind: 'words' }
}

function ofLink(text: string): { readonly store: Store; readonly appId: string } | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (url === null) return null
  if (url.hostname === 'play.google.com' || url.hostname === 'market.android.com') {
    const appId = url.searchParams.get('id')
    return appId !== null && PACKAGE.test(appId) ? { store: 'google', appId } : null
  }
  if (/(^|\.)(apps|itunes)\.apple\.com$/.test(url.hostname)) {
    const appId = /\/id(\d+)(?:\/|$)/.exec(url.pathname)?.[1]
    return appId === undefined ? null : { store: 'apple', appId }
  }
  return null
}
