/**
 * Copies of labelled reviews with other product names, so that the trainer learns the context of a name rather than the name. The app's own
 * name changes together with `app_name`, a competitor's with its label. A review always gets the same copies.
 */
import { readFileSync } from 'node:fs'

export type NamedReview = {
  readonly id: string
  readonly app_name?: string | null
  readonly title: string
  readonly body: string
  readonly labels: { readonly competitor_named: string | null; readonly mentions_competitor: boolean }
}

const SCRIPTS = [/\p{Script=Hangul}/u, /\p{Script=Katakana}|\p{Script=Han}/u, /\p{Script=Devanagari}/u]
const COPIES = { competitor: 2, own: 1 } as const
const INVENTED_SHARE = 0.35
const LOWERCASE_SHARE = 0.25
const NAME_CHARS_MIN = 3
const SYLLABLES =
  'ba de fi go lu ma ne po ra si ta vo zen kit flo mo ly ex pay book run cast dio nest zy qui tro'.split(' ')

const pools = poolsOf(readFileSync(new URL('../data/shared/brands.txt', import.meta.url), 'utf8'))

/** The copies of `review`: none when it names neither its app nor a competitor. */
export function swapNames<T extends NamedReview>(review: T): T[] {
  const names = (review.labels.competitor_named ?? '').split(',').flatMap((name) => name.trim() || [])
  const own = review.app_name ?? ''
  const text = `${review.title}\n${review.body}`.toLowerCase()
  const isNamed = (name: string) => name.length >= NAME_CHARS_MIN && text.includes(name.toLowerCase())
  const count = names.some(isNamed) ? COPIES.competitor : isNamed(own) ? COPIES.own : 0
  const random = randomOf(review.id)
  return Array.from({ length: count }, (_, copy) => {
    const swaps = [...names, ...(isNamed(own) ? [own] : [])]
      .sort((a, b) => b.length - a.length)
      .map((name) => [name, newName(name, random)] as const)
    const swap = (some: string) => swaps.reduce((done, [name, other]) => replaceAll(done, name, other), some)
    return {
      ...review,
      id: `${review.id}-swap${copy + 1}`,
      app_name: swap(own) || null,
      title: swap(review.title),
      body: swap(review.body),
    }
  })
}

function newName(name: string, random: () => number): string {
  const script = SCRIPTS.findIndex((script) => script.test(name))
  const pool = pools.get(script) ?? []
  const isInvented = script === -1 && random() < INVENTED_SHARE
  const syllables = Array.from({ length: 2 + Math.floor(random() * 2) }, () => pick(SYLLABLES, random)).join(
    '',
  )
  const made = isInvented ? syllables.charAt(0).toUpperCase() + syllables.slice(1) : pick(pool, random)
  return name === name.toLowerCase() || random() < LOWERCASE_SHARE ? made.toLowerCase() : made
}

function replaceAll(text: string, name: string, other: string): string {
  return text.replaceAll(new RegExp(RegExp.escape(name), 'giu'), () => other)
}

function poolsOf(file: string): Map<number, string[]> {
  const pools = new Map<number, string[]>()
  let section = ''
  for (const line of file.split('\n')) {
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    if (heading !== undefined) section = heading
    if (heading !== undefined || section !== 'brand' || line.startsWith('#')) continue
    for (const name of line.split(',').flatMap((some) => some.trim() || [])) {
      const script = SCRIPTS.findIndex((script) => script.test(name))
      pools.set(script, [...(pools.get(script) ?? []), name])
    }
  }
  return pools
}

/** A random number generator (mulberry32) seeded with the characters of `seed`. */
function randomOf(seed: string): () => number {
  let state = [...seed].reduce(
    (sum, character) => Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16_777_619),
    2_166_136_261,
  )
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('the list of names is empty')
  return item
}
