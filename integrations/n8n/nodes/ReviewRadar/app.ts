export type App = { readonly store: 'apple' | 'google'; readonly appId: string }

/** The problem with a text that is not an app. */
export const NOT_AN_APP =
  'App must be an app from the list, a link to the App Store or Google Play, a number (App Store) or a package name (Google Play).'

/** The app that the text names: `apple:310633997`, a store link, an App Store id or a package name. Null when it names none. */
export function parseApp(text: string): App | null {
  const value = text.trim()
  const listed = /^(apple|google):(\S+)$/.exec(value)
  if (listed?.[2] !== undefined)
    return { store: listed[1] === 'apple' ? 'apple' : 'google', appId: listed[2] }
  const apple = /^(?:https?:\/\/(?:apps|itunes)\.apple\.com\/\S*?\bid)?(\d{1,20})\b/.exec(value)
  if (apple?.[1] !== undefined && (apple[0] === value || value.startsWith('http')))
    return { store: 'apple', appId: apple[1] }
  const google = /^(?:https?:\/\/play\.google\.com\/\S*?[?&]id=)?([A-Za-z]\w*(?:\.\w+)+)/.exec(value)
  if (google?.[1] !== undefined && (google[0] === value || value.startsWith('https://play.')))
    return { store: 'google', appId: google[1] }
  return null
}

export function appValue({ store, appId }: App): string {
  return `${store}:${appId}`
}
