/** What the readers of a message see. */
export type Seen = {
  /** The visible text, without markup. */
  readonly text: string
  /** The URLs of links, in their order. */
  readonly links: readonly string[]
  /** Markup that notifies or refers to somebody, and markup that the service's own message never has. */
  readonly mentions: readonly string[]
  /** The texts with a format. */
  readonly styled: readonly string[]
}

export type SeenSoFar = { text: string; links: string[]; mentions: string[]; styled: string[] }

export function nothingSeen(): SeenSoFar {
  return { text: '', links: [], mentions: [], styled: [] }
}

export type Json = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
