import {
  anyText,
  baseUrl,
  cidrs,
  databaseUrl,
  duration,
  durations,
  intervalOrAdaptive,
  mailSender,
  oneOf,
  type Parser,
  platformNames,
  proxies,
  sealKey,
  smtpUrl,
  someOrAll,
  wholeNumber,
} from './parse.ts'

export const ROLES = ['api', 'poll', 'enrich', 'fanout', 'send'] as const
/** Values that decide whether other settings are required; undefined when the value itself is invalid. */
type Deciding = {
  readonly RADAR_ENRICHMENT?: unknown
  readonly RADAR_DATABASE_URL?: unknown
  readonly RADAR_SMTP_URL?: unknown
}

/**
 * One setting, everything about it in one row. `field` is the path of its value in `Config`, whose type is made from the
 * rows.
 */
export type Setting<T = unknown, D extends string | null = string | null, F extends string = string> = {
  readonly field: F
  readonly parser: Parser<T>
  /** As an operator would write it; null for none. */
  readonly default: D
  readonly doc: string
  /** How a computed default is shown. */
  readonly derived?: string
  /** Masked wherever settings are shown; may also come from the file that `<name>_FILE` names. */
  readonly secret?: boolean
  /** Checks the other settings when this one is not set: a sentence when it is required, else null. */
  readonly requiredWith?: (values: Deciding) => string | null
}

function setting<T, const D extends string | null, const F extends string>(
  field: F,
  parser: Parser<T>,
  fallback: D,
  doc: string,
  more: Pick<Setting, 'derived' | 'secret' | 'requiredWith'> = {},
): Setting<T, D, F> {
  return { field, parser, default: fallback, doc, ...more }
}

const isModelServer = (values: Deciding) => values.RADAR_ENRICHMENT === 'llm'
const isPostgres = (values: Deciding) => String(values.RADAR_DATABASE_URL).startsWith('postgres')

/** Every setting, once: `docs/reference/settings.md` is generated from this table, and `radar config` prints it. */
export const SETTINGS = {
  RADAR_HOST: setting('host', anyText, '127.0.0.1', 'Address to listen on; `0.0.0.0` for all.'),
  RADAR_PORT: setting('port', wholeNumber(0, 65_535), '8080', 'Port to listen on; 0 selects a free one.'),
  RADAR_PUBLIC_URL: setting('publicUrl', baseUrl, null, 'URL of this service for others, e.g. of a proxy.', {
    derived: 'from host and port',
  }),
  RADAR_TRUSTED_PROXIES: setting(
    'trustedProxies',
    proxies,
    '',
    'Addresses or blocks of the proxies in front, e.g. `127.0.0.1,10.0.0.0/8`: only from these `X-Forwarded-For` and `X-Forwarded-Proto` are believed. Name no block that clients connect from.',
  ),
  RADAR_DATA_DIR: setting('dataDir', anyText, './data', 'Folder for the database file and the key.'),
  RADAR_DATABASE_URL: setting(
    'databaseUrl',
    databaseUrl,
    null,
    '`sqlite:<path>` for one node, `postgres://…` for one or many.',
    { derived: '`sqlite:<data dir>/radar.db`', secret: true },
  ),
  RADAR_SECRET_KEY: setting(
    'secretKey',
    sealKey,
    null,
    'Encrypts signing secrets in storage: 32 random bytes in base64 or hex. Required with PostgreSQL. Keep a copy apart from the backups: without it every hook must be created again.',
    {
      derived: 'created on first start as `<data dir>/secret.key`',
      secret: true,
      requiredWith: (values) =>
        isPostgres(values)
          ? 'RADAR_SECRET_KEY is required with PostgreSQL, the same on every node; `openssl rand -base64 32` makes one.'
          : null,
    },
  ),
  RADAR_ROLES: setting(
    'roles',
    someOrAll(ROLES),
    'all',
    'What this node does: `all`, or some of `api,poll,enrich,fanout,send`. Without `api` it serves only `/healthz`, `/readyz` and `/metrics`.',
  ),
  RADAR_APPLE_ITUNES_URL: setting(
    'stores.appleItunesUrl',
    baseUrl,
    'https://itunes.apple.com',
    "Apple's feeds and lookup.",
  ),
  RADAR_APPLE_WEB_URL: setting('stores.appleWebUrl', baseUrl, 'https://apps.apple.com', "Apple's pages."),
  RADAR_GOOGLE_PLAY_URL: setting(
    'stores.googlePlayUrl',
    baseUrl,
    'https://play.google.com',
    "Google Play's pages.",
  ),
  RADAR_REVIEWS_POLL_INTERVAL: setting(
    'stores.reviewsPollIntervalMs',
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'How often a review feed is polled: `adaptive` (15 minutes to 6 hours, by how often it has new reviews), or a fixed duration.',
  ),
  RADAR_RATINGS_POLL_INTERVAL: setting(
    'stores.ratingsPollIntervalMs',
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'The same for ratings; adaptive is 1 to 6 hours.',
  ),
  RADAR_APPLE_REQUESTS_PER_MINUTE: setting(
    'stores.requestsPerMinute.apple',
    wholeNumber(1, 600_000),
    '20',
    'Limit of requests to Apple, for all nodes together.',
  ),
  RADAR_GOOGLE_REQUESTS_PER_MINUTE: setting(
    'stores.requestsPerMinute.google',
    wholeNumber(1, 600_000),
    '30',
    'The same for Google.',
  ),
  RADAR_RETRY_WAITS: setting(
    'delivery.retryWaitsMs',
    durations(20, '1ms', '48h'),
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Waits before attempts 2, 3, … of a delivery; after the last attempt it is a dead letter.',
  ),
  RADAR_DELIVERY_TIMEOUT: setting(
    'delivery.timeoutMs',
    duration('10ms', '60s'),
    '15s',
    'One deadline over connecting, headers and body of an attempt.',
  ),
  RADAR_DELIVERY_CONCURRENCY: setting(
    'delivery.concurrencyMax',
    wholeNumber(1, 10_000),
    '256',
    'Attempts under way at once, on this node.',
  ),
  RADAR_DELIVERY_PER_HOOK: setting(
    'delivery.perHookMax',
    wholeNumber(1, 1_000),
    '8',
    'At most this many of them for one hook.',
  ),
  RADAR_DELIVERY_PER_HOST: setting(
    'delivery.perHostMax',
    wholeNumber(1, 10_000),
    '16',
    'At most this many of them for one host and port.',
  ),
  RADAR_ALLOW_TARGET_CIDRS: setting(
    'delivery.allowTargetCidrs',
    cidrs,
    '',
    'Private or otherwise special addresses that targets may have, e.g. `10.1.0.0/16,127.0.0.1`. Metadata addresses of clouds are never allowed.',
  ),
  RADAR_AUTOMATION_PLATFORMS: setting(
    'automationPlatforms',
    platformNames,
    'zapier,make,n8n',
    'Names that `source` may have besides `api`. A 410 from the target of such a hook ends it.',
  ),
  RADAR_ENRICHMENT: setting(
    'enrichment.kind',
    oneOf(['offline', 'llm', 'off']),
    'offline',
    'Enrichment by the built-in engine, by a model server, or off.',
  ),
  RADAR_LLM_URL: setting(
    'enrichment.url',
    baseUrl,
    null,
    'Base URL of a server with the OpenAI chat interface, up to and without `/chat/completions`.',
    {
      requiredWith: (values) =>
        isModelServer(values) ? 'RADAR_LLM_URL is required with RADAR_ENRICHMENT=llm.' : null,
    },
  ),
  RADAR_LLM_MODEL: setting('enrichment.model', anyText, null, 'Name of the model there.', {
    requiredWith: (values) =>
      isModelServer(values) ? 'RADAR_LLM_MODEL is required with RADAR_ENRICHMENT=llm.' : null,
  }),
  RADAR_LLM_API_KEY: setting('enrichment.apiKey', anyText, null, 'Key for the server, if it requires one.', {
    secret: true,
  }),
  RADAR_LLM_DAILY_LIMIT: setting(
    'enrichment.dailyLimit',
    wholeNumber(0, 1_000_000_000),
    null,
    'Requests to the model per day (UTC); further reviews go to the built-in engine.',
    { derived: 'none' },
  ),
  RADAR_SMTP_URL: setting(
    'smtp.url',
    smtpUrl,
    null,
    'Mail server for alerts, such as `smtp://user:password@mail.example.com:587`. It may be on a private address.',
    { derived: 'none: no e-mail is sent', secret: true },
  ),
  RADAR_SMTP_FROM: setting('smtp.from', mailSender, null, 'Sender of these mails.', {
    requiredWith: (values) =>
      typeof values.RADAR_SMTP_URL === 'string' ? 'RADAR_SMTP_FROM is required with RADAR_SMTP_URL.' : null,
  }),
  RADAR_SIGNUP: setting(
    'signup',
    oneOf(['closed', 'open']),
    'closed',
    'Whether anyone may create an account in the console.',
  ),
  RADAR_ACCOUNT_HOOKS_MAX: setting(
    'accountLimits.hooksMax',
    wholeNumber(1, 1_000_000),
    '500',
    'Hooks one account may have, over the API and in the console together.',
  ),
  RADAR_ACCOUNT_STOREFRONTS_MAX: setting(
    'accountLimits.storefrontsMax',
    wholeNumber(1, 1_000_000),
    '1000',
    'Storefronts one account may track; each app counts once for each storefront.',
  ),
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: setting(
    'accountLimits.apiRequestsPerMinute',
    wholeNumber(1, 1_000_000),
    '1200',
    "Requests one account may make to the API and by the console's pages. Each node counts for itself.",
  ),
  RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: setting(
    'accountLimits.appSearchesPerMinute',
    wholeNumber(1, 1_000_000),
    '20',
    'App searches of one account; each takes requests from the limit of its store. Each node counts for itself.',
  ),
  RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: setting(
    'accountLimits.testEventsPerMinute',
    wholeNumber(1, 1_000_000),
    '10',
    'Test events one account may send. Each node counts for itself.',
  ),
  RADAR_RETENTION: setting(
    'retentionMs',
    duration('1m', '3650d'),
    '90d',
    'How long review texts and delivered payloads are kept, entries of the audit log, and sessions and invitations that are over. Dead letters stay until resolved, what was seen for ever.',
  ),
  RADAR_LOG_LEVEL: setting(
    'logLevel',
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'Minimum level that is logged.',
  ),
} as const

/** Settings of `radar listen`, a client of the service. The service ignores them. */
export const LISTEN_SETTINGS = {
  RADAR_URL: setting('url', baseUrl, 'http://127.0.0.1:8080', 'URL of the service.'),
  RADAR_TOKEN: setting('token', anyText, null, 'An API token of the account that subscribes.', {
    secret: true,
  }),
  RADAR_LISTEN_SECRET: setting(
    'secret',
    anyText,
    null,
    'The secret of the hook whose requests arrive, when the hook was not created by `radar listen`.',
    { secret: true },
  ),
} as const
