/** A part of a text: the first character, and the one after the last. */
export type Span = { readonly from: number; readonly to: number }

/**
 * A function that finds all places of these words in a text, also those inside each other (Aho and Corasick, 1975). Spans come in order,
 * and those that overlap or touch are one. Time is linear in the words and in the text, whatever they are. Takes some 50 bytes per
 * character of the words.
 */
export function spanFinder(words: readonly string[]): (text: string) => Span[] {
  const children = new Map<number, number>()
  /** For each node, the node of its longest proper suffix. The root is 0. */
  const suffixes = [0]
  /** For each node, the length of the longest word that ends there; 0 without one. */
  const lengths = [0]
  const childOf = (node: number, unit: number) => children.get(node * 0x1_0000 + unit)
  const stepFrom = (from: number, unit: number): number => {
    for (let node = from; ; node = suffixes[node] ?? 0) {
      const child = childOf(node, unit)
      if (child !== undefined || node === 0) return child ?? 0
    }
  }
  let growing = words.filter((word) => word !== '').map((word) => ({ word, node: 0 }))
  // By depth, since the suffix of a node is less deep.
  for (let depth = 0; growing.length > 0; depth += 1) {
    for (const each of growing) {
      const unit = each.word.charCodeAt(depth)
      let child = childOf(each.node, unit)
      if (child === undefined) {
        child = lengths.length
        const suffix = each.node === 0 ? 0 : stepFrom(suffixes[each.node] ?? 0, unit)
        suffixes.push(suffix)
        lengths.push(lengths[suffix] ?? 0)
        children.set(each.node * 0x1_0000 + unit, child)
      }
      if (each.word.length === depth + 1) lengths[child] = depth + 1
      each.node = child
    }
    growing = growing.filter(({ word }) => word.length > depth + 1)
  }
  return (text) => {
    const spans: Span[] = []
    let node = 0
    for (let at = 0; at < text.length; at += 1) {
      node = stepFrom(node, text.charCodeAt(at))
      const length = lengths[node] ?? 0
      if (length > 0) append(spans, { from: at + 1 - length, to: at + 1 })
    }
    return spans
  }
}

/** One list of spans from several, in order; those that overlap or touch become one. */
export function joined(...lists: readonly (readonly Span[])[]): Span[] {
  const spans: Span[] = []
  for (const span of lists.flat().sort((a, b) => a.from - b.from)) append(spans, span)
  return spans
}

function append(spans: Span[], span: Span): void {
  let { from, to } = span
  for (let last = spans.at(-1); last !== undefined && last.to >= from; last = spans.at(-1)) {
    from = Math.min(from, last.from)
    to = Math.max(to, last.to)
    spans.pop()
  }
  spans.push({ from, to })
}
