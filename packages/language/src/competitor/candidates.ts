import { dropCovered, type Match, type Matcher } from '../phrases/matcher.ts'
import type { Segment, Token } from '../text/segments.ts'
import { written } from '../text/written.ts'
import { HANGUL, KATAKANA, nameBefore, type Span } from './name-before.ts'
import { foldName, type OwnApp, type Products } from './products.ts'

export type CandidateDeps = {
  readonly competitorMatcher: Matcher
  readonly brandMatcher: Matcher
  readonly products: Products
  /** Words that may be capitalised after "better than" without naming a product. */
  readonly functionWords: ReadonlySet<string>
  /** Nouns are capitalised, so only an unusual spelling shows that a word is a name. */
  readonly capitalizesNouns: boolean
}

/** Other products a review may mention. The classifier decides whether it does. */
export type Candidates = {
  /** As written, in order of appearance, at most three. */
  readonly names: readonly string[]
  /** A product is named in a sentence that compares products or announces a switch. */
  readonly isCompared: boolean
  /** A named product is of the app's own kind: another music service in a review of a music service. */
  readonly isSameKind: boolean
  /** "Other apps", "the competition" and similar words. */
  readonly mentionsOthers: boolean
}

const NAMES_MAX = 3
const NAME_CHARS_MAX = 40

/** Finds candidates in `segments`. The app itself and its developer are never among them. */
export function competitorCandidates(
  segments: readonly Segment[],
  app: OwnApp,
  deps: CandidateDeps,
): Candidates {
  const phrases = segments.map((segment) => deps.competitorMatcher(segment.tokens))
  const comparing = new Set(
    segments.flatMap(({ sentence }, at) => ((phrases[at] ?? []).length > 0 ? [sentence] : [])),
  )
  const names: string[] = []
  let isCompared = false
  let isSameKind = false
  for (const [at, segment] of segments.entries()) {
    const { tokens } = segment
    const known = dropCovered(deps.brandMatcher(tokens))
    const listed = known.filter((match) => isWholeName(tokens, match))
    const brands = listed.filter((match) => match.name !== 'provider' && isWrittenAsName(tokens, match))
    const unknown = unknownNames(tokens, phrases[at] ?? [], listed, deps).filter(
      (span) => !endsInCommonWord(tokens, span, known),
    )
    for (const span of [...brands, ...unknown].sort((a, b) => a.start - b.start)) {
      const name = written(tokens.slice(span.start, span.end), NAME_CHARS_MAX)
      if (app.isOwn(name)) continue
      names.push(name)
      if (comparing.has(segment.sentence)) isCompared = true
      if ((deps.products.kinds.get(foldName(name)) ?? []).some((kind) => app.kinds.has(kind)))
        isSameKind = true
    }
  }
  const mentionsOthers = phrases.some((some) => some.some(({ name }) => name === 'other_apps'))
  return { names: [...new Set(names)].slice(0, NAMES_MAX), isCompared, isSameKind, mentionsOthers }
}

/** Unlisted names: capitalised words directly after "better than", "switched to" and similar phrases. */
function unknownNames(
  tokens: readonly Token[],
  matches: readonly Match[],
  listed: readonly Match[],
  deps: CandidateDeps,
): Span[] {
  const spans: Span[] = []
  for (const match of matches) {
    const before = match.name === 'name_before' ? nameBefore(tokens, match) : undefined
    if (before !== undefined && !listed.some((match) => overlaps(match, before))) spans.push(before)
    if (match.name !== 'leaving' && match.name !== 'name_after') continue
    let end = match.end
    while (end < tokens.length && end - match.end < 3 && looksLikeName(tokens[end], deps)) end++
    const span = { start: match.end, end }
    if (end > match.end && !listed.some((match) => overlaps(match, span))) spans.push(span)
  }
  return spans.filter((span, index) => !spans.slice(0, index).some((earlier) => overlaps(earlier, span)))
}

function looksLikeName(token: Token | undefined, deps: CandidateDeps): boolean {
  if (token === undefined || deps.functionWords.has(token.folded)) return false
  const inside = /^\p{L}+\p{Lu}|\p{Lu}\p{Ll}+\d/u.test(token.surface) && !/^\p{Lu}+$/u.test(token.surface)
  if (deps.capitalizesNouns) return inside
  return inside || /^\p{Lu}\p{Ll}{2,}/u.test(token.surface)
}

/** An ordinary word names a product only when it is capitalised and not at the start of a sentence. */
function isWrittenAsName(tokens: readonly Token[], { name, start }: Match): boolean {
  if (name !== 'ordinary_brand') return true
  return start > 0 && /^\p{Lu}/u.test(tokens[start]?.surface ?? '')
}

/** A katakana compound that ends in a common noun is not a product: ダークモード, ノートアプリ. */
function endsInCommonWord(tokens: readonly Token[], { end }: Span, listed: readonly Match[]): boolean {
  if (!KATAKANA.test(tokens[end - 1]?.surface ?? '')) return false
  return listed.some((match) => match.name === 'provider' && match.end === end)
}

/** A name must be a whole word: ライン inside オンライン is not a product. */
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
