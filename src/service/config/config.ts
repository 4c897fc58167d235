import { join } from 'node:path'
import { readTexts, type Texts } from './env.ts'
import { type Role, SETTINGS, type SettingName, type Values } from './settings.ts'
import { type ShownSetting, settingsOf } from './show.ts'

/** What the service runs by. Durations are milliseconds. */
export type Config = {
  readonly host: string
  readonly port: number
  /** Null: worked out from where the server listens. */
  readonly publicUrl: string | null
  /** Addresses and CIDR blocks whose forwarding headers are believed; none by default. */
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  readonly databaseUrl: string
  /** Null: the one of the data dir, made on first start. */
  readonly secretKey: Buffer | null
  readonly roles: ReadonlySet<Role>
  readonly stores: {
    readonly appleItunesUrl: string
    readonly appleWebUrl: string
    readonly googlePlayUrl: string
    readonly requestsPerMinute: { readonly apple: number; readonly google: number }
    /** Null: adaptive. */
    readonly reviewsPollIntervalMs: number | null
    readonly ratingsPollIntervalMs: number | null
  }
  readonly delivery: {
    readonly retryWaitsMs: readonly number[]
    readonly timeoutMs: number
    readonly concurrencyMax: number
    readonly perHookMax: number
    readonly perHostMax: number
    readonly allowTargetCidrs: readonly string[]
  }
  readonly automationPlatforms: readonly string[]
  readonly enrichment:
    | { readonly kind: 'off' }
    | { readonly kind: 'offline' }
    | {
        readonly kind: 'llm'
        readonly url: string
        readonly model: string
        readonly apiKey: string | null
        /** Null: no limit. */
        readonly dailyLimit: number | null
      }
  readonly signup: 'closed' | 'open'
  /** For each account. */
  readonly accountLimits: {
    readonly hooksMax: number
    readonly storefrontsMax: number
    readonly apiRequestsPerMinute: number
    readonly appSearchesPerMinute: number
    readonly testEventsPerMinute: number
  }
  readonly retentionMs: number
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Each setting as it was given, secrets masked, for the operator to see. */
  readonly shown: readonly ShownSetting[]
}

/** The settings are wrong; one sentence for each mistake. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(
      mistakes.length === 1
        ? `A setting is wrong: ${mistakes[0]}`
        : `Settings are wrong:\n  ${mistakes.join('\n  ')}`,
    )
    this.mistakes = mistakes
  }
}

/** The configuration of an environment. Throws `ConfigRefused` with every mistake at once. */
export function configOf(environment: Readonly<Record<string, string | undefined>>): Config {
  return configFrom(readTexts(environment))
}

/** Pure. Throws `ConfigRefused` with every mistake at once. */
export function configFrom({ texts, mistakes: before }: Texts): Config {
  const mistakes = [...before]
  const parsed: Partial<Record<SettingName, unknown>> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    const {
      parse,
      default: fallback,
      secret,
    } = SETTINGS[name] as (typeof SETTINGS)[SettingName] & { secret?: boolean }
    const given = texts.get(name)
    const text = given?.text ?? fallback
    if (text === null) {
      parsed[name] = null
      continue
    }
    const result = parse(text)
    if (result.ok) parsed[name] = result.value
    else
      mistakes.push(
        `${name} must be ${result.allowed}${secret ? '' : `, not ${JSON.stringify(text)}`}${originOf(given)}.`,
      )
  }
  mistakes.push(...conflicts(parsed as Partial<Values>))
  if (mistakes.length > 0) throw new ConfigRefused(mistakes)
  const values = parsed as Values
  return { ...nested(values), shown: settingsOf(texts) }
}

/** What does not go together. A setting whose own mistake is told already is absent. */
function conflicts(values: Partial<Values>): string[] {
  const mistakes: string[] = []
  if (values.RADAR_ENRICHMENT === 'llm') {
    for (const name of ['RADAR_LLM_URL', 'RADAR_LLM_MODEL'] as const) {
      if (values[name] === null) mistakes.push(`${name} is required with RADAR_ENRICHMENT=llm.`)
    }
  }
  if (values.RADAR_DATABASE_URL?.startsWith('postgres') && values.RADAR_SECRET_KEY === null) {
    mistakes.push(
      'RADAR_SECRET_KEY is required with PostgreSQL, the same on every node; `openssl rand -base64 32` makes one.',
    )
  }
  return mistakes
}

function nested(values: Values): Omit<Config, 'shown'> {
  return {
    host: values.RADAR_HOST,
    port: values.RADAR_PORT,
    publicUrl: values.RADAR_PUBLIC_URL,
    trustedProxies: values.RADAR_TRUSTED_PROXIES,
    dataDir: values.RADAR_DATA_DIR,
    databaseUrl: values.RADAR_DATABASE_URL ?? `sqlite:${join(values.RADAR_DATA_DIR, 'radar.db')}`,
    secretKey: values.RADAR_SECRET_KEY,
    roles: values.RADAR_ROLES,
    stores: {
      appleItunesUrl: values.RADAR_APPLE_ITUNES_URL,
      appleWebUrl: values.RADAR_APPLE_WEB_URL,
      googlePlayUrl: values.RADAR_GOOGLE_PLAY_URL,
      requestsPerMinute: {
        apple: values.RADAR_APPLE_REQUESTS_PER_MINUTE,
        google: values.RADAR_GOOGLE_REQUESTS_PER_MINUTE,
      },
      reviewsPollIntervalMs: values.RADAR_REVIEWS_POLL_INTERVAL,
      ratingsPollIntervalMs: values.RADAR_RATINGS_POLL_INTERVAL,
    },
    delivery: {
      retryWaitsMs: values.RADAR_RETRY_WAITS,
      timeoutMs: values.RADAR_DELIVERY_TIMEOUT,
      concurrencyMax: values.RADAR_DELIVERY_CONCURRENCY,
      perHookMax: values.RADAR_DELIVERY_PER_HOOK,
      perHostMax: values.RADAR_DELIVERY_PER_HOST,
      allowTargetCidrs: values.RADAR_ALLOW_TARGET_CIDRS,
    },
    automationPlatforms: values.RADAR_AUTOMATION_PLATFORMS,
    enrichment: enrichmentOf(values),
    signup: values.RADAR_SIGNUP,
    accountLimits: {
      hooksMax: values.RADAR_ACCOUNT_HOOKS_MAX,
      storefrontsMax: values.RADAR_ACCOUNT_STOREFRONTS_MAX,
      apiRequestsPerMinute: values.RADAR_ACCOUNT_API_REQUESTS_PER_MINUTE,
      appSearchesPerMinute: values.RADAR_ACCOUNT_APP_SEARCHES_PER_MINUTE,
      testEventsPerMinute: values.RADAR_ACCOUNT_TEST_EVENTS_PER_MINUTE,
    },
    retentionMs: values.RADAR_RETENTION,
    logLevel: values.RADAR_LOG_LEVEL,
  }
}

function enrichmentOf(values: Values): Config['enrichment'] {
  const { RADAR_ENRICHMENT: kind, RADAR_LLM_URL: url, RADAR_LLM_MODEL: model } = values
  if (kind !== 'llm') return { kind }
  if (url === null || model === null) throw new Error('llm without its URL or model was not refused')
  return { kind, url, model, apiKey: values.RADAR_LLM_API_KEY, dailyLimit: values.RADAR_LLM_DAILY_LIMIT }
}

function originOf(given: { readonly origin: string } | undefined): string {
  return given === undefined || given.origin === 'the environment' ? '' : ` (in ${given.origin})`
}
