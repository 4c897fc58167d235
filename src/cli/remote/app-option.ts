import { STORES, type Store } from '../../model/vocabulary.ts'
import { type Arguments, UsageError } from '../command.ts'

/** `--app STORE/ID`; undefined when it was not given. Throws `UsageError`. */
export function appOption(args: Arguments): { readonly store: Store; readonly appId: string } | undefined {
  const app = args.option('app')
  if (app === undefined) return undefined
  const [, storeText, appId = ''] = /^([^/]*)\/(.+)$/.exec(app) ?? []
  const store = STORES.find((each) => each === storeText)
  if (store !== undefined) return { store, appId }
  throw new UsageError(`--app must be apple/ID or google/ID, such as apple/310633997, not "${app}".`)
}
