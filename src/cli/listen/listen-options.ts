import { readFileSync } from 'node:fs'
import type { SubscribeBody } from '../../contract/hook.ts'
import { EVENT_TYPES, hasRatingRule, STOREFRONTS } from '../../model/vocabulary.ts'
import type { ListenConfig } from '../../service/config/listen.ts'
import {
  type Arguments,
  CommandFailed,
  choiceOption,
  numberOption,
  type Option,
  UsageError,
} from '../command.ts'
import { appOption } from '../remote/app-option.ts'

/** The subscription of `radar listen`. */
export type ListenOptions = Omit<SubscribeBody, 'target_url'>

/** With SIGHUP, since a temporary hook must be deleted when its terminal is closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Many apps get at most one review per day. */
export const TEST_HINT = 'The first event may take hours. --test sends a synthetic event at once.\n'

export const APP_OPTION: Option = {
  value: 'STORE/ID',
  help: 'Subscribe to this app while the command runs, e.g. apple/310633997.',
}

/** Options that require `--app`. */
export const LISTEN_OPTIONS: Readonly<Record<string, Option>> = {
  country: { value: 'CC', choices: STOREFRONTS, help: 'Only this storefront, e.g. us.' },
  event: {
    value: 'TYPE',
    choices: EVENT_TYPES,
    help: `${EVENT_TYPES.join(', ')}. ${EVENT_TYPES[0]} by default; the other types match every drop, recovery or spike.`,
  },
  'max-stars': { value: 'N', help: 'Only reviews with at most this many stars.' },
  test: { help: 'Send a synthetic event through the service at once.' },
}

/** Null without `--app`. Throws `UsageError`. */
export function listenOptionsOf(args: Arguments): ListenOptions | null {
  const app = appOption(args)
  if (app === undefined) {
    const lone = [...Object.keys(LISTEN_OPTIONS), 'target-url'].find(
      (name) => args.option(name) !== undefined || args.isOn(name),
    )
    if (lone !== undefined) throw new UsageError(`--${lone} requires --app STORE/ID.`)
    return null
  }
  if (args.option('secret-file') !== undefined && args.option('forward') === undefined) {
    throw new UsageError('--app creates a hook with a new secret: leave out --secret-file.')
  }
  const eventType = choiceOption(args, 'event', EVENT_TYPES) ?? 'review.created'
  const maxStars = numberOption(args, 'max-stars', 1, 5)
  if (eventType !== 'review.created' && maxStars !== undefined) {
    throw new UsageError(`--max-stars filters reviews: leave it out with --event ${eventType}.`)
  }
  return {
    store: app.store,
    app_id: app.appId,
    event_type: eventType,
    country: choiceOption(args, 'country', STOREFRONTS),
    max_stars: maxStars,
    // The smallest delta, so that every drop matches.
    delta: hasRatingRule(eventType) ? 0 : undefined,
  }
}

/** The first lines of the output about a temporary hook. */
export function aboutHook(id: string, options: ListenOptions, url: string): string {
  const { event_type: type, store, app_id: appId, country } = options
  return `Hook        ${id} of ${url}, until Ctrl-C
Sends       ${type} of ${store} ${appId}${country ? ` in ${country}` : ''}, from now on
`
}

/** Throws `CommandFailed`. */
export function tokenOf({ token }: ListenConfig): string {
  if (token !== null) return token
  throw new CommandFailed(
    '--app requires an API token in RADAR_TOKEN, or in the file that RADAR_TOKEN_FILE names. Create one with "radar token create --account ID".',
  )
}

/** The secret of an existing hook. Null: signatures are not checked. Throws `CommandFailed`. */
export function givenSecret(args: Arguments, config: ListenConfig): string | null {
  const path = args.option('secret-file')
  if (path === undefined) return config.secret
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch {
    throw new CommandFailed(`The secret file ${path} cannot be read; name a file that you may read.`)
  }
  if (/^\S+$/.test(text)) return text
  throw new CommandFailed(
    `${path} does not contain a secret: it must contain only the hook's secret (whsec_…) from subscribe.`,
  )
}
