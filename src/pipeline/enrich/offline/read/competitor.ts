import { dropCovered, type Match, type Matcher } from '../phrases/matcher.ts'
import type { Token } from '../text/segments.ts'
import { written } from '../text/written.ts'
import { HANGUL, KATAKANA, nameBefore, type Span } from './name-before.ts'
import type { Reading, SegmentReading } from './signals.ts'

export type CompetitorDeps = {
  /** Known products (`brand`) and names that are no competitor by themselves (`provider`: devices, sign-in, payment). */
  readonly brandMatcher: Matcher
  /** Words that stand after "better than" with a capital letter without naming a product. */
  readonly functionWords: ReadonlySet<string>
  /** Nouns have a capital letter: only an unusual spelling shows that a word is a name. */
  readonly capitalizesNouns: boolean
}

export type Competitor = {
  readonly mentioned: boolean
  /** As written in the review; several joined by ", "; null when none is named. */
  readonly named: string | null
  /** The writer goes to the other product. */
  readonly leaving: boolean
  /** The writer came from the other product, or likes this one better: "ditched X for this". */
  readonly joined: boolean
}

const NAMES_MAX = 3
const NAME_CHARS_MAX = 40

/** Whether another product is spoken of as an alternative to this one. */
export function readCompetitor(reading: Reading, deps: CompetitorDeps): Competitor {
  const comparing = new Set(
    reading.segments
      .filter(({ steering }) => COMPARING.some((name) => steering.has(name)))
      .map(({ segment }) => segment.sentence),
  )
  const names: string[] = []
  let mentioned = false
  let leaving = false
  for (const segment of reading.segments) {
    if (segment.steering.has('other_apps')) mentioned = true
    const { tokens } = segment.segment
    const listed = dropCovered(deps.brandMatcher(tokens))
    const brands = listed.filter((match) => isWholeName(tokens, match))
    const unknown = unknownNames(segment, brands, deps).filter(
      (span) => !endsInCommonWord(tokens, span, listed),
    )
    const known = comparing.has(segment.segment.sentence) ? brands.filter(({ name }) => name === 'brand') : []
    for (const { start, end } of [...known, ...unknown].sort((a, b) => a.start - b.start)) {
      mentioned = true
      names.push(written(tokens.slice(start, end), NAME_CHARS_MAX))
      if (segment.matches.some((match) => match.name === 'leaving' && touches(match, start, end)))
        leaving = true
    }
  }
  const different = [...new Set(names)].slice(0, NAMES_MAX)
  // A farewell right beside the name says where the writer goes, whatever else was deleted on the way.
  const joined =
    names.length > 0 && !leaving && reading.segments.some(({ steering }) => steering.has('joined'))
  return {
    mentioned,
    named: different.length > 0 ? different.join(', ') : null,
    leaving,
    joined,
  }
}

const COMPARING = ['compare', 'joined', 'leaving', 'other_apps', 'name_after', 'name_before'] as const

/** A leaving phrase stands right before the name, or after it where verbs come last. */
function touches(match: Match, start: number, end: number): boolean {
  return (match.end <= start && start - match.end <= 1) || (match.start >= end && match.start - end <= 3)
}

/** Names nobody told us: capitalised words right after "better than", "switched to" and the like. */
function unknownNames(segment: SegmentReading, brands: readonly Match[], deps: CompetitorDeps): Span[] {
  const { tokens } = segment.segment
  const spans: Span[] = []
  for (const match of segment.matches) {
    const before = match.name === 'name_before' ? nameBefore(tokens, match) : undefined
    if (before !== undefined && !brands.some((brand) => overlaps(brand, before))) spans.push(before)
    const isStrong = match.name === 'leaving' || match.name === 'name_after'
    if (!isStrong) continue
    let end = match.end
    while (end < tokens.length && end - match.end < 3 && looksLikeName(tokens[end], deps)) end++
    const span = { start: match.end, end }
    if (end > match.end && !brands.some((brand) => overlaps(brand, span))) spans.push(span)
  }
  return spans.filter((span, index) => !spans.slice(0, index).some((earlier) => overlaps(earlier, span)))
}

function looksLikeName(token: Token | undefined, deps: CompetitorDeps): boolean {
  if (token === undefined || deps.functionWords.has(token.folded)) return false
  const inside = /^\p{L}+\p{Lu}|\p{Lu}\p{Ll}+\d/u.test(token.surface) && !/^\p{Lu}+$/u.test(token.surface)
  if (deps.capitalizesNouns) return inside
  return inside || /^\p{Lu}\p{Ll}{2,}/u.test(token.surface)
}

/** ダークモード and ノートアプリ name no product: what a name in katakana ends in tells what it is. */
function endsInCommonWord(tokens: readonly Token[], { end }: Span, listed: readonly Match[]): boolean {
  if (!KATAKANA.test(tokens[end - 1]?.surface ?? '')) return false
  return listed.some((match) => match.name === 'provider' && match.end === end)
}

/** A name is not cut out of a longer word: ライン inside オンライン names nobody. */
function isWholeName(tokens: readonly Token[], { start, end }: Match): boolean {
  const [before, first, last, after] = [tokens[start - 1], tokens[start], tokens[end - 1], tokens[end]]
  if (first === undefined || last === undefined) return false
  if (HANGUL.test(first.surface) && !first.spaced && before !== undefined && HANGUL.test(before.surface))
    return false
  if (KATAKANA.test(first.surface) && before !== undefined && KATAKANA.test(before.surface)) return false
  return !(KATAKANA.test(last.surface) && after !== undefined && KATAKANA.test(after.surface))
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}
