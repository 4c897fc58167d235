import type { Parser } from './parse.ts'

/** The values on which other settings depend; undefined when the value itself is invalid. */
export type Deciding = {
  readonly RADAR_ENRICHMENT?: unknown
  readonly RADAR_DATABASE_URL?: unknown
  readonly RADAR_SMTP_URL?: unknown
  readonly RADAR_OIDC_ISSUER?: unknown
}

/** The complete definition of a setting. `field` is the path of its value in `Config`, whose type is derived from these rows. */
export type Setting<T = unknown, D extends string | null = string | null, F extends string = string> = {
  readonly field: F
  readonly parser: Parser<T>
  /** In the format of the environment variable; null for none. */
  readonly default: D
  readonly doc: string
  /** The description of a computed default. */
  readonly derived?: string
  /** Masked in all output. The value may also be in a file whose path is in `<name>_FILE`. */
  readonly secret?: boolean
  /** The error message if other settings require this one, which is not set; else null. */
  readonly requiredWith?: (values: Deciding) => string | null
}

export function setting<T, const D extends string | null, const F extends string>(
  field: F,
  parser: Parser<T>,
  fallback: D,
  doc: string,
  more: Pick<Setting, 'derived' | 'secret' | 'requiredWith'> = {},
): Setting<T, D, F> {
  return { field, parser, default: fallback, doc, ...more }
}
