import { ConfigError } from './config.ts'
import { readTexts } from './env.ts'
import { LISTEN_SETTINGS } from './listen-settings.ts'

/** The configuration of the commands that call the service; null for unset values. */
export type ListenConfig = {
  readonly url: string
  readonly token: string | null
  readonly secret: string | null
}

/** The configuration of an environment. Throws `ConfigError` with every error at once. */
export function listenConfigOf(environment: Readonly<Record<string, string | undefined>>): ListenConfig {
  const { texts, errors } = readTexts(environment)
  const { parser, default: fallback } = LISTEN_SETTINGS.RADAR_URL
  const text = texts.get('RADAR_URL')?.text ?? fallback
  const url = parser.safeParse(text)
  const wrong = url.success
    ? []
    : [`RADAR_URL must be ${url.error.issues[0]?.message}, not ${JSON.stringify(text)}.`]
  if (!url.success || errors.length > 0) throw new ConfigError([...errors, ...wrong])
  return {
    url: url.data,
    token: texts.get('RADAR_TOKEN')?.text ?? null,
    secret: texts.get('RADAR_LISTEN_SECRET')?.text ?? null,
  }
}
