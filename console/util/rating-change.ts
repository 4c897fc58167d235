/** Stores tell averages to five places (specification 3). */
const PLACES_MAX = 5

/**
 * Two averages and their difference as text, to two places, or to as many as it takes to tell them apart: an average of many
 * ratings moves by thousandths, and a fall "by 0.00" looks like a mistake.
 */
export function ratingChange(before: number, now: number): { before: string; now: string; change: string } {
  let places = 2
  while (places < PLACES_MAX && before !== now && before.toFixed(places) === now.toFixed(places)) places += 1
  const change = (now - before).toFixed(places)
  return {
    before: before.toFixed(places),
    now: now.toFixed(places),
    change: now > before ? `+${change}` : change,
  }
}
