/**
 * Joins the two groups whose members are most alike on average, again and again, until no two reach `minimum`. The average, because a
 * single link chains unlike reports and the weakest link splits long problems. Returns the group of each item as numbers from 0.
 * `pins`: items with the same pin start together, and two pins never join. Of equals, the earliest items join first.
 */
export function clustersOf(
  similarities: readonly Float64Array[],
  minimum: number,
  pins: readonly (string | null)[] = [],
): number[] {
  const groups = startOf(similarities.length, pins)
  // Sums of likeness between groups, so that a join costs one addition for each other group.
  const sums = groups.map(({ items: a }) =>
    Float64Array.from(groups, ({ items: b }) =>
      a.reduce((sum, i) => sum + b.reduce((inner, j) => inner + (similarities[i]?.[j] ?? 0), 0), 0),
    ),
  )
  const isAlive = groups.map(() => true)
  for (;;) {
    const pair = closest(groups, sums, isAlive, minimum)
    if (pair === null) break
    const [into, from] = pair
    const [target, source] = [groups[into], groups[from]]
    const [row, other] = [sums[into], sums[from]]
    if (!target || !source || !row || !other) break
    target.items.push(...source.items)
    target.pin ??= source.pin
    isAlive[from] = false
    for (let at = 0; at < groups.length; at++) {
      row[at] = (row[at] ?? 0) + (other[at] ?? 0)
      const column = sums[at]
      if (column !== undefined) column[into] = row[at] ?? 0
    }
  }
  const groupOf = similarities.map(() => 0)
  let next = 0
  for (const [at, { items }] of groups.entries()) {
    if (isAlive[at] !== true) continue
    for (const item of items) groupOf[item] = next
    next++
  }
  return groupOf
}

type Group = { readonly items: number[]; pin: string | null }

function startOf(count: number, pins: readonly (string | null)[]): Group[] {
  const pinned = new Map<string, Group>()
  const groups: Group[] = []
  for (let item = 0; item < count; item++) {
    const pin = pins[item] ?? null
    const known = pin === null ? undefined : pinned.get(pin)
    if (known !== undefined) {
      known.items.push(item)
      continue
    }
    const group = { items: [item], pin }
    if (pin !== null) pinned.set(pin, group)
    groups.push(group)
  }
  return groups
}

function closest(
  groups: readonly Group[],
  sums: readonly Float64Array[],
  isAlive: readonly boolean[],
  minimum: number,
): readonly [number, number] | null {
  let best: readonly [number, number] | null = null
  let most = minimum
  for (const [a, first] of groups.entries()) {
    if (isAlive[a] !== true) continue
    for (let b = a + 1; b < groups.length; b++) {
      const second = groups[b]
      if (second === undefined || isAlive[b] !== true) continue
      if (first.pin !== null && second.pin !== null) continue
      const mean = (sums[a]?.[b] ?? 0) / (first.items.length * second.items.length)
      if (mean > most) {
        most = mean
        best = [a, b]
      }
    }
  }
  return best
}
