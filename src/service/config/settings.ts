import {
  anyText,
  baseUrl,
  cidrs,
  databaseUrl,
  duration,
  durations,
  intervalOrAdaptive,
  oneOf,
  type Parser,
  platformNames,
  proxies,
  sealKey,
  someOrAll,
  wholeNumber,
} from './parse.ts'

export const ROLES = ['api', 'poll', 'enrich', 'fanout', 'send'] as const
export type Role = (typeof ROLES)[number]

export type Setting<T, D extends string | null = string | null> = {
  readonly parse: Parser<T>
  /** As one would write it; null for none. */
  readonly default: D
  /** Shown instead of the default where it is worked out. */
  readonly derived?: string
  /** Masked wherever settings are shown; may also come from the file that `<name>_FILE` names. */
  readonly secret?: boolean
  readonly doc: string
}

function setting<T, const D extends string | null>(
  parse: Parser<T>,
  fallback: D,
  doc: string,
  more: { readonly derived?: string; readonly secret?: boolean } = {},
): Setting<T, D> {
  return { parse, default: fallback, doc, ...more }
}

/** Every setting, once: `docs/settings.md` is made from this table, and `radar config` prints by it. */
export const SETTINGS = {
  RADAR_HOST: setting(anyText, '127.0.0.1', 'Address to listen on; `0.0.0.0` for all.'),
  RADAR_PORT: setting(wholeNumber(0, 65_535), '8080', 'Port to listen on; 0 takes a free one.'),
  RADAR_PUBLIC_URL: setting(baseUrl, null, 'Where others reach this service, e.g. behind a proxy.', {
    derived: 'from host and port',
  }),
  RADAR_TRUSTED_PROXIES: setting(
    proxies,
    '',
    'Addresses or blocks of the proxies in front, e.g. `127.0.0.1,10.0.0.0/8`: from these alone `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Name no block that clients connect from.',
  ),
  RADAR_DATA_DIR: setting(anyText, './data', 'Folder for the database file and the key.'),
  RADAR_DATABASE_URL: setting(
    databaseUrl,
    null,
    '`sqlite:<path>` for one node, `postgres://…` for one or many.',
    { derived: '`sqlite:<data dir>/radar.db`', secret: true },
  ),
  RADAR_SECRET_KEY: setting(
    sealKey,
    null,
    'Encrypts signing secrets in storage: 32 random bytes in base64 or hex. Required with PostgreSQL. Keep a copy apart from the backups: without it every hook has to be made anew.',
    { derived: 'made on first start as `<data dir>/secret.key`', secret: true },
  ),
  RADAR_ROLES: setting(
    someOrAll(ROLES),
    'all',
    'What this node does: `all`, or some of `api,poll,enrich,fanout,send`. Without `api` it serves `/healthz`, `/readyz` and `/metrics` alone.',
  ),
  RADAR_APPLE_ITUNES_URL: setting(baseUrl, 'https://itunes.apple.com', "Apple's feeds and lookup."),
  RADAR_APPLE_WEB_URL: setting(baseUrl, 'https://apps.apple.com', "Apple's pages."),
  RADAR_GOOGLE_PLAY_URL: setting(baseUrl, 'https://play.google.com', "Google Play's pages."),
  RADAR_REVIEWS_POLL_INTERVAL: setting(
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'How often a review feed is polled: `adaptive` (15 minutes to 6 hours, by how often it brings something), or a duration that fixes it.',
  ),
  RADAR_RATINGS_POLL_INTERVAL: setting(
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'The same for ratings; adaptive is 1 to 6 hours.',
  ),
  RADAR_APPLE_REQUESTS_PER_MINUTE: setting(
    wholeNumber(1, 600_000),
    '20',
    'Limit of requests to Apple, for all nodes together.',
  ),
  RADAR_GOOGLE_REQUESTS_PER_MINUTE: setting(wholeNumber(1, 600_000), '30', 'The same for Google.'),
  RADAR_RETRY_WAITS: setting(
    durations({ countMax: 20, min: '1ms', max: '48h' }),
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Waits before attempts 2, 3, … of a delivery; after the last attempt it is a dead letter.',
  ),
  RADAR_DELIVERY_TIMEOUT: setting(
    duration('10ms', '60s'),
    '15s',
    'One deadline over connecting, headers and body of an attempt.',
  ),
  RADAR_DELIVERY_CONCURRENCY: setting(
    wholeNumber(1, 10_000),
    '256',
    'Attempts under way at once, on this node.',
  ),
  RADAR_DELIVERY_PER_HOOK: setting(wholeNumber(1, 1_000), '8', 'Of those, at most so many for one hook.'),
  RADAR_DELIVERY_PER_HOST: setting(
    wholeNumber(1, 10_000),
    '16',
    'Of those, at most so many for one host and port.',
  ),
  RADAR_ALLOW_TARGET_CIDRS: setting(
    cidrs,
    '',
    'Private or otherwise special addresses that targets may have, e.g. `10.1.0.0/16,127.0.0.1`. Metadata addresses of clouds are never allowed.',
  ),
  RADAR_AUTOMATION_PLATFORMS: setting(
    platformNames,
    'zapier,make,n8n',
    'Names that `source` may have besides `api`. A 410 from the target of such a hook ends it.',
  ),
  RADAR_ENRICHMENT: setting(
    oneOf(['offline', 'llm', 'off']),
    'offline',
    'Who understands reviews: the engine inside, a model server, or nobody.',
  ),
  RADAR_LLM_URL: setting(
    baseUrl,
    null,
    'Base URL of a server with the OpenAI chat interface, up to and without `/chat/completions`.',
  ),
  RADAR_LLM_MODEL: setting(anyText, null, 'Name of the model there.'),
  RADAR_LLM_API_KEY: setting(anyText, null, 'Key for the server, if it asks for one.', { secret: true }),
  RADAR_LLM_DAILY_LIMIT: setting(
    wholeNumber(0, 1_000_000_000),
    null,
    'Requests to the model a day (UTC); what is above goes to the engine inside.',
    { derived: 'none' },
  ),
  RADAR_SIGNUP: setting(
    oneOf(['closed', 'open']),
    'closed',
    'Whether strangers may make an account in the console.',
  ),
  RADAR_ACCOUNT_HOOKS_MAX: setting(
    wholeNumber(1, 1_000_000),
    '500',
    'Hooks one account may have, made over the API and in the console together.',
  ),
  RADAR_ACCOUNT_STOREFRONTS_MAX: setting(
    wholeNumber(1, 1_000_000),
    '1000',
    'Storefronts one account may track; each app counts once for each storefront.',
  ),
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000),
    '1200',
    "Requests one account may make to the API and by the console's pages. Each node counts for itself.",
  ),
  RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000),
    '20',
    'App searches of one account; each takes requests from the limit of its store. Each node counts for itself.',
  ),
  RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: setting(
    wholeNumber(1, 1_000_000),
    '10',
    'Test events one account may send. Each node counts for itself.',
  ),
  RADAR_RETENTION: setting(
    duration('1m', '3650d'),
    '90d',
    'How long review texts and delivered payloads are kept, and sessions and invitations that are over. Dead letters stay until resolved, what was seen for ever.',
  ),
  RADAR_LOG_LEVEL: setting(
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'Least level that is logged.',
  ),
} as const

/** What `radar listen` needs to know as a client of a service. The service itself ignores it. */
export const LISTEN_SETTINGS = {
  RADAR_URL: setting(baseUrl, 'http://127.0.0.1:8080', 'Where the service is reached.'),
  RADAR_TOKEN: setting(anyText, null, 'An API token of the account that subscribes.', { secret: true }),
  RADAR_LISTEN_SECRET: setting(
    anyText,
    null,
    'The secret of the hook whose requests arrive, when it was not `radar listen` that made it.',
    { secret: true },
  ),
} as const

export type SettingName = keyof typeof SETTINGS
type ValueOf<S> = S extends Setting<infer T, infer D> ? (D extends string ? T : T | null) : never
/** Every setting's value by its name. */
export type Values = { readonly [N in SettingName]: ValueOf<(typeof SETTINGS)[N]> }
