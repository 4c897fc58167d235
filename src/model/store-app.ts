import { STORES, type Store } from './vocabulary.ts'

/** Apple's ids are numbers, Google's are names of packages. */
const APP_IDS = { apple: /^[1-9]\d{0,14}$/, google: /^[\w.]{1,255}$/ } as const

/** The app of a text such as `apple/310633997`; null for another text. */
export function storeAppOf(text: string): { readonly store: Store; readonly appId: string } | null {
  const slash = text.indexOf('/')
  const store = STORES.find((one) => one === text.slice(0, slash))
  const appId = text.slice(slash + 1)
  return store === undefined || !APP_IDS[store].test(appId) ? null : { store, appId }
}
