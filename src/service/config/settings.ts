import { MAIL_CONSENTS } from '../../model/mail-recipient.ts'
import {
  anyText,
  appOfEachStore,
  baseUrl,
  cidrs,
  databaseUrl,
  duration,
  durations,
  emailDomains,
  formatsFile,
  hostNames,
  intervalOrAdaptive,
  listenHost,
  mailSender,
  oneOf,
  ownUrl,
  pemFile,
  platformNames,
  proxies,
  proxyUrl,
  sealKey,
  smtpUrl,
  someOrAll,
  wholeNumber,
} from './parse.ts'
import { type Deciding, setting } from './setting.ts'

export const ROLES = ['api', 'poll', 'enrich', 'fanout', 'send'] as const
const isModelServer = (values: Deciding) => values.RADAR_ENRICHMENT === 'llm'
const isPostgres = (values: Deciding) => String(values.RADAR_DATABASE_URL).startsWith('postgres')

/** All settings. `docs/reference/settings.md` is generated from this table, and `radar config` prints it. */
export const SETTINGS = {
  RADAR_HOST: setting(
    'host',
    listenHost,
    '127.0.0.1',
    'Address to listen on; `0.0.0.0` for all, `::` for all with IPv6 too.',
  ),
  RADAR_PORT: setting('port', wholeNumber(0, 65_535), '8080', 'Port to listen on; 0 selects a free one.'),
  RADAR_PUBLIC_URL: setting(
    'publicUrl',
    ownUrl,
    null,
    'Public URL of this service, e.g. that of a proxy. It may have a path, e.g. `https://example.com/radar`.',
    { derived: 'from host and port' },
  ),
  RADAR_TRUSTED_PROXIES: setting(
    'trustedProxies',
    proxies,
    '',
    'Addresses or blocks of trusted proxies, e.g. `127.0.0.1,10.0.0.0/8`. `X-Forwarded-For`, `Forwarded` and `X-Forwarded-Proto` are accepted only from these. Do not include a block from which clients connect.',
  ),
  RADAR_DATA_DIR: setting('dataDir', anyText, './data', 'Folder for the database file and the key.'),
  RADAR_DATABASE_URL: setting(
    'databaseUrl',
    databaseUrl,
    null,
    '`sqlite:<path>` for one node, `postgres://…` for one or many.',
    { derived: '`sqlite:<data dir>/radar.db`', secret: true },
  ),
  RADAR_DATABASE_CA_FILE: setting(
    'databaseCaFile',
    pemFile,
    null,
    "File with the certificate of the authority of a PostgreSQL server, in PEM, as a provider offers it for download. Then `sslmode` is `require` by default, and the server's certificate must be of this authority.",
    { derived: 'none' },
  ),
  RADAR_SECRET_KEY: setting(
    'secretKey',
    sealKey,
    null,
    'Encrypts signing secrets in storage: 32 random bytes in base64 or hex. Required with PostgreSQL. Keep a copy, but not with the backups: without it every hook must be created again.',
    {
      derived: 'created on first start as `<data dir>/secret.key`',
      secret: true,
      requiredWith: (values) =>
        isPostgres(values)
          ? 'RADAR_SECRET_KEY is required with PostgreSQL, the same on every node; `openssl rand -base64 32` generates one.'
          : null,
    },
  ),
  RADAR_ROLES: setting(
    'roles',
    someOrAll(ROLES),
    'all',
    'Roles of this node: `all`, or some of `api,poll,enrich,fanout,send`. Without `api` it serves only `/healthz`, `/readyz` and `/metrics`.',
  ),
  RADAR_APPLE_ITUNES_URL: setting(
    'stores.appleItunesUrl',
    baseUrl,
    'https://itunes.apple.com',
    "Base URL of Apple's feeds and lookup.",
  ),
  RADAR_APPLE_WEB_URL: setting(
    'stores.appleWebUrl',
    baseUrl,
    'https://apps.apple.com',
    "Base URL of Apple's pages.",
  ),
  RADAR_GOOGLE_PLAY_URL: setting(
    'stores.googlePlayUrl',
    baseUrl,
    'https://play.google.com',
    "Base URL of Google Play's pages.",
  ),
  RADAR_PUBLIC_SOURCES: setting(
    'stores.publicSources',
    oneOf(['on', 'off']),
    'on',
    'Whether public pages of the stores are requested. With `off`, only connected apps have reviews, and there are no ratings, no searches and no names of other apps ([terms of the stores](../store-terms.md)).',
  ),
  RADAR_REFERENCE_APPS: setting(
    'stores.referenceApps',
    appOfEachStore,
    'apple/389801252,google/com.instagram.android',
    'An app with many reviews in the US of each store, as `STORE/APP_ID`. While reviews of a store are polled, all sources of the store are asked for it at most eight times a day and compared ([Stores](../stores.md#reference-check)); `off` compares none.',
  ),
  RADAR_STORE_FORMATS_FILE: setting(
    'stores.addedFormats',
    formatsFile,
    null,
    'JSON file with addresses and positions to try after the built-in ones, when a store changes something ([Stores](../stores.md#added-formats)). Read at the start.',
    { derived: 'none' },
  ),
  RADAR_APP_STORE_CONNECT_URL: setting(
    'stores.appStoreConnectUrl',
    baseUrl,
    'https://api.appstoreconnect.apple.com',
    'Base URL of the App Store Connect API, for connected apps.',
  ),
  RADAR_GOOGLE_PLAY_DEVELOPER_URL: setting(
    'stores.googlePlayDeveloperUrl',
    baseUrl,
    'https://androidpublisher.googleapis.com',
    'Base URL of the Google Play Developer API, for connected apps.',
  ),
  RADAR_GOOGLE_OAUTH_URL: setting(
    'stores.googleOauthUrl',
    baseUrl,
    'https://oauth2.googleapis.com',
    "Base URL of Google's token endpoint, for connected apps.",
  ),
  RADAR_GOOGLE_STORAGE_URL: setting(
    'stores.googleStorageUrl',
    baseUrl,
    'https://storage.googleapis.com',
    'Base URL of Google Cloud Storage, which has the monthly reports of connected apps.',
  ),
  RADAR_REVIEWS_POLL_INTERVAL: setting(
    'stores.reviewsPollIntervalMs',
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'Interval of polls of a review feed: `adaptive` (1 to 6 hours, by its reviews per day, and longer when the feeds exceed the store’s limit), or a fixed duration such as `15m`. Stores show a review about a day late.',
  ),
  RADAR_RATINGS_POLL_INTERVAL: setting(
    'stores.ratingsPollIntervalMs',
    intervalOrAdaptive('10ms', '30d'),
    'adaptive',
    'Interval of polls of ratings: `adaptive` (1 to 6 hours), or a fixed duration.',
  ),
  RADAR_APP_STORE_REPLY_CHARS_MAX: setting(
    'stores.appStoreReplyCharsMax',
    wholeNumber(1, 10_000),
    '5970',
    'Maximum characters of an answer on the App Store. Apple documents no limit.',
  ),
  RADAR_GOOGLE_PLAY_REPLIES_PER_DAY: setting(
    'stores.googlePlayRepliesPerDay',
    wholeNumber(1, 1_000_000),
    '2000',
    'Answers that Google Play accepts for an app in 24 hours. Further ones stay pending. Raise it if Google raises your quota.',
  ),
  RADAR_OFFICIAL_POLL_INTERVAL: setting(
    'stores.officialPollIntervalMs',
    duration('10ms', '1d'),
    '5m',
    'Time between two polls of a connected app. One poll gets the newest reviews of all storefronts.',
  ),
  RADAR_APPLE_REQUESTS_PER_MINUTE: setting(
    'stores.requestsPerMinute.apple',
    wholeNumber(1, 600_000),
    '20',
    'Limit of requests to Apple per minute, for all nodes together.',
  ),
  RADAR_GOOGLE_REQUESTS_PER_MINUTE: setting(
    'stores.requestsPerMinute.google',
    wholeNumber(1, 600_000),
    '30',
    'Limit of requests to Google per minute, for all nodes together.',
  ),
  RADAR_RETRY_WAITS: setting(
    'delivery.retryWaitsMs',
    durations(20, '1ms', '48h'),
    '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    'Waits before attempts 2, 3, … of a delivery. After the last attempt it becomes a dead letter.',
  ),
  RADAR_DELIVERY_TIMEOUT: setting(
    'delivery.timeoutMs',
    duration('10ms', '60s'),
    '15s',
    'Deadline of an attempt, which includes connecting, headers and body.',
  ),
  RADAR_DELIVERY_CONCURRENCY: setting(
    'delivery.concurrencyMax',
    wholeNumber(1, 10_000),
    '256',
    'Maximum concurrent attempts on this node.',
  ),
  RADAR_DELIVERY_PER_HOOK: setting(
    'delivery.perHookMax',
    wholeNumber(1, 1_000),
    '64',
    'Maximum concurrent attempts for one hook on this node. The number starts at 8 and adapts to the answers. Chat and e-mail destinations have at most 2.',
  ),
  RADAR_DELIVERY_PER_HOST: setting(
    'delivery.perHostMax',
    wholeNumber(1, 10_000),
    '64',
    'Maximum concurrent attempts for one host and port on this node. The number starts at 16, adapts to the answers and does not fall below 16.',
  ),
  RADAR_CA_FILE: setting(
    'caFile',
    pemFile,
    null,
    'File with certificates of authorities, in PEM, that are trusted besides the well-known ones: for webhooks, mail, the model server, the identity provider, and commands that call the service through TLS.',
    { derived: 'none' },
  ),
  RADAR_ALLOW_TARGET_CIDRS: setting(
    'delivery.allowTargetCidrs',
    cidrs,
    '',
    'Private and other special addresses that targets may have, e.g. `10.1.0.0/16,127.0.0.1`. Cloud metadata addresses are never allowed.',
  ),
  RADAR_OUTBOUND_PROXY: setting(
    'outboundProxy',
    proxyUrl,
    null,
    'HTTP proxy (`CONNECT`) for requests to public addresses, e.g. `http://proxy.example.com:3128`. The service resolves and checks targets itself. Requests to private addresses and e-mail do not use the proxy.',
    { derived: 'none', secret: true },
  ),
  RADAR_OUTBOUND_PROXY_DNS: setting(
    'outboundProxyNames',
    hostNames,
    '',
    'Host names that this proxy may resolve when they do not resolve here, e.g. `hooks.slack.com,*.example.com`. The service cannot check their addresses: list only hosts whose operator you trust.',
    { derived: 'none' },
  ),
  RADAR_AUTOMATION_PLATFORMS: setting(
    'automationPlatforms',
    platformNames,
    'zapier,make,n8n',
    'Values of `source` for automation platforms. A hook with such a source is stopped when its target answers 410.',
  ),
  RADAR_ENRICHMENT: setting(
    'enrichment.kind',
    oneOf(['offline', 'llm', 'off']),
    'offline',
    'Enrichment by the offline engine (`offline`), by a model server (`llm`), or none (`off`).',
  ),
  RADAR_LLM_URL: setting(
    'enrichment.url',
    baseUrl,
    null,
    'Base URL of a server with the OpenAI chat completions API, without `/chat/completions`.',
    {
      requiredWith: (values) =>
        isModelServer(values) ? 'RADAR_LLM_URL is required with RADAR_ENRICHMENT=llm.' : null,
    },
  ),
  RADAR_LLM_MODEL: setting('enrichment.model', anyText, null, 'Name of the model on that server.', {
    requiredWith: (values) =>
      isModelServer(values) ? 'RADAR_LLM_MODEL is required with RADAR_ENRICHMENT=llm.' : null,
  }),
  RADAR_LLM_API_KEY: setting(
    'enrichment.apiKey',
    anyText,
    null,
    'API key of that server, if it requires one.',
    { secret: true },
  ),
  RADAR_LLM_DAILY_LIMIT: setting(
    'enrichment.dailyLimit',
    wholeNumber(0, 1_000_000_000),
    null,
    'Maximum requests to the model server per day (UTC); further reviews go to the offline engine.',
    { derived: 'none' },
  ),
  RADAR_SMTP_URL: setting(
    'smtp.url',
    smtpUrl,
    null,
    'Mail server for alerts and e-mail destinations, e.g. `smtp://user:password@mail.example.com:587`. Its address may be private.',
    { derived: 'none: no e-mail is sent', secret: true },
  ),
  RADAR_SMTP_FROM: setting('smtp.from', mailSender, null, 'Sender of these e-mails.', {
    requiredWith: (values) =>
      typeof values.RADAR_SMTP_URL === 'string' ? 'RADAR_SMTP_FROM is required with RADAR_SMTP_URL.' : null,
  }),
  RADAR_MAIL_CONSENT: setting(
    'mailConsent',
    oneOf(MAIL_CONSENTS),
    'confirm',
    'Whether a new recipient of alerts or of an e-mail destination must confirm the address with the link of a first e-mail (`confirm`), which needs `RADAR_PUBLIC_URL`, or gets e-mails at once (`off`). Use `off` only for an installation of one account.',
  ),
  RADAR_SIGNUP: setting(
    'signup',
    oneOf(['closed', 'open']),
    'closed',
    'Whether anyone can create an account in the console (`open`) or only invited users (`closed`).',
  ),
  RADAR_OIDC_ISSUER: setting(
    'oidc.issuer',
    baseUrl,
    null,
    'Issuer URL of an OpenID Connect provider at which users sign in. Its address may be private.',
    { derived: 'none: users sign in with passwords' },
  ),
  RADAR_OIDC_CLIENT_ID: setting('oidc.clientId', anyText, null, 'Client id at that provider.', {
    requiredWith: (values) =>
      typeof values.RADAR_OIDC_ISSUER === 'string'
        ? 'RADAR_OIDC_CLIENT_ID is required with RADAR_OIDC_ISSUER.'
        : null,
  }),
  RADAR_OIDC_CLIENT_SECRET: setting('oidc.clientSecret', anyText, null, 'Client secret at that provider.', {
    secret: true,
    requiredWith: (values) =>
      typeof values.RADAR_OIDC_ISSUER === 'string'
        ? 'RADAR_OIDC_CLIENT_SECRET is required with RADAR_OIDC_ISSUER.'
        : null,
  }),
  RADAR_OIDC_NAME: setting('oidc.name', anyText, 'single sign-on', 'Provider named on the sign-in button.'),
  RADAR_OIDC_EMAIL_DOMAINS: setting(
    'oidc.emailDomains',
    emailDomains,
    '',
    'Domains of the e-mail addresses that may sign in at that provider; empty for all.',
  ),
  RADAR_OIDC_TRUST_EMAIL: setting(
    'oidc.trustEmail',
    oneOf(['false', 'true']),
    'false',
    '`true` treats the e-mail addresses of the provider as verified, also without `email_verified`. Only for providers whose users cannot change their address.',
  ),
  RADAR_ACCOUNT_HOOKS_MAX: setting(
    'accountLimits.hooksMax',
    wholeNumber(1, 1_000_000),
    '500',
    'Maximum hooks of one account, including destinations of the console.',
  ),
  RADAR_ACCOUNT_STOREFRONTS_MAX: setting(
    'accountLimits.storefrontsMax',
    wholeNumber(1, 1_000_000),
    '1000',
    'Maximum tracked storefronts of one account. Each app counts once for each storefront.',
  ),
  RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE: setting(
    'accountLimits.apiRequestsPerMinute',
    wholeNumber(1, 1_000_000),
    '1200',
    'Maximum requests per minute of one account to the API, including those of console pages. Each node counts separately.',
  ),
  RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE: setting(
    'accountLimits.appSearchesPerMinute',
    wholeNumber(1, 1_000_000),
    '20',
    'Maximum app searches per minute of one account. They also count towards the request limit of the store. Each node counts separately.',
  ),
  RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE: setting(
    'accountLimits.testEventsPerMinute',
    wholeNumber(1, 1_000_000),
    '10',
    'Maximum test events per minute of one account. Each node counts separately.',
  ),
  RADAR_ACCOUNT_REPLY_DRAFTS_PER_MINUTE: setting(
    'accountLimits.replyDraftsPerMinute',
    wholeNumber(1, 1_000_000),
    '10',
    'Maximum drafts of answers, and maximum translations of reviews, by the model server per minute of one account. Each node counts separately.',
  ),
  RADAR_ACCOUNT_IMPORTED_ROWS_PER_DAY: setting(
    'accountLimits.importedRowsPerDay',
    wholeNumber(1, 100_000_000),
    '50000',
    'Maximum imported reviews per day of one account. Each node counts separately, from its start.',
  ),
  RADAR_RETENTION: setting(
    'retentionMs',
    duration('1m', '3650d'),
    '90d',
    'Retention of review texts, delivered payloads, audit log entries, and ended sessions and invitations. Dead letters are kept until resolved, identities of seen reviews forever.',
  ),
  RADAR_LOG_LEVEL: setting(
    'logLevel',
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    'info',
    'Minimum level of log lines.',
  ),
} as const
