import { join } from 'node:path'
import { readText } from '../../runtime/read-text.ts'
import { readTexts, type Texts } from './env.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'
import { type ShownSetting, settingsOf } from './show.ts'

/** The object in which `Value` is at a path such as `delivery.timeoutMs`. */
type At<Path extends string, Value> = Path extends `${infer Head}.${infer Rest}`
  ? { readonly [K in Head]: At<Rest, Value> }
  : { readonly [K in Path]: Value }
type ValueOf<S> = S extends Setting<infer T, infer D> ? (D extends string ? T : T | null) : never
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Both) => void
  ? Both
  : never
type Rows = typeof SETTINGS
type Values = All<{ [N in keyof Rows]: At<Rows[N]['field'], ValueOf<Rows[N]>> }[keyof Rows]>

/** The configuration of the service: the value of every setting at its `field`. Durations are milliseconds. */
export type Config = Omit<Values, 'databaseUrl'> & {
  /** By default that of the file in the data folder. */
  readonly databaseUrl: string
  /** Each setting as given, with secrets masked, for the operator. */
  readonly shown: readonly ShownSetting[]
  readonly injected: Texts['injected']
}

/** Settings are invalid; one sentence for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(
      errors.length === 1
        ? `A setting is invalid: ${errors[0]}`
        : `Settings are invalid:\n  ${errors.join('\n  ')}`,
    )
    this.errors = errors
  }
}

/** The configuration of an environment. Throws `ConfigError` with every error at once. */
export function configOf(environment: Readonly<Record<string, string | undefined>>): Config {
  return configFrom(readTexts(environment))
}

/** Reads the files that settings name, otherwise pure. Throws `ConfigError` with every error at once. */
export function configFrom({ texts, errors: unreadable, injected }: Texts): Config {
  const errors = [...unreadable]
  const rows = Object.entries<Setting>(SETTINGS)
  const values: Record<string, unknown> = {}
  for (const [name, row] of rows) {
    const given = texts.get(name)
    const text = given?.text ?? row.default
    const result = text === null ? null : row.parser.safeParse(text)
    if (result?.success === false) {
      const allowed = result.error.issues[0]?.message
      const shown = row.secret ? '' : `, not ${JSON.stringify(text)}`
      errors.push(`${name} must be ${allowed}${shown}${originOf(given)}.`)
    } else values[name] = result?.data ?? null
  }
  for (const [name, { requiredWith }] of rows) {
    const missing = values[name] === null ? requiredWith?.(values) : null
    if (missing) errors.push(missing)
  }
  if (errors.length > 0) throw new ConfigError(errors)
  const config = nest(rows.map(([name, { field }]) => [field, values[name]]))
  return {
    ...config,
    databaseUrl: withAuthority(
      config.databaseUrl ?? `sqlite:${join(config.dataDir, 'radar.db')}`,
      config.databaseCaFile,
    ),
    shown: settingsOf(texts),
    injected,
  }
}

/**
 * Certificates to trust, in PEM, for commands of any kind; null without the setting. Other settings may be invalid, which only some
 * commands need. Throws `ConfigError` with the errors of all settings when this one is invalid.
 */
export function authoritiesOf(environment: Readonly<Record<string, string | undefined>>): string | null {
  const given = readTexts(environment).texts.get('RADAR_CA_FILE')
  if (given === undefined) return null
  const file = SETTINGS.RADAR_CA_FILE.parser.safeParse(given.text)
  return readText(file.success ? file.data : (configOf(environment).caFile ?? ''))
}

/**
 * `databaseUrl` with the setting of the authority's certificate as its parameter, whose name is libpq's. Whoever names an authority wants
 * the server checked: libpq's default `prefer` would continue without TLS.
 */
export function withAuthority(databaseUrl: string, caFile: string | null): string {
  const url = URL.parse(databaseUrl)
  if (caFile === null || url === null || !databaseUrl.startsWith('postgres')) return databaseUrl
  const { searchParams } = url
  searchParams.set('sslrootcert', caFile)
  if (!searchParams.has('sslmode') && !searchParams.has('ssl')) searchParams.set('sslmode', 'require')
  return url.href
}

/** An object with each value at its path. */
function nest(values: readonly (readonly [field: string, value: unknown])[]): Values {
  const root: Record<string, unknown> = {}
  for (const [field, value] of values) {
    const path = field.split('.')
    const last = path.pop() ?? ''
    let parent = root
    for (const key of path) {
      parent[key] ??= {}
      parent = parent[key] as Record<string, unknown>
    }
    parent[last] = value
  }
  // The rows define the path of each value, and `Values` is derived from the same rows.
  return root as unknown as Values
}

function originOf(given: { readonly origin: string } | undefined): string {
  return given === undefined || given.origin === 'the environment' ? '' : ` (in ${given.origin})`
}
