import { ConfigRefused } from './config.ts'
import { readTexts } from './env.ts'
import { LISTEN_SETTINGS } from './settings.ts'

/** What `radar listen` runs by; null for what is not set. */
export type ListenConfig = {
  readonly url: string
  readonly token: string | null
  readonly secret: string | null
}

/** Throws `ConfigRefused` with every mistake at once. */
export function listenConfigOf(environment: Readonly<Record<string, string | undefined>>): ListenConfig {
  const { texts, mistakes } = readTexts(environment)
  const { parse, default: fallback } = LISTEN_SETTINGS.RADAR_URL
  const text = texts.get('RADAR_URL')?.text ?? fallback
  const url = parse(text)
  const wrong = url.ok ? [] : [`RADAR_URL must be ${url.allowed}, not ${JSON.stringify(text)}.`]
  if (!url.ok || mistakes.length > 0) throw new ConfigRefused([...mistakes, ...wrong])
  return {
    url: url.value,
    token: texts.get('RADAR_TOKEN')?.text ?? null,
    secret: texts.get('RADAR_LISTEN_SECRET')?.text ?? null,
  }
}
