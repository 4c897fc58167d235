import { decimal } from './numbers.ts'

/** Stores give averages with up to five decimal places. */
const PLACES_MAX = 5

/**
 * Two averages and their distance, with two decimal places, or more if needed to show a difference: an average of
 * many ratings moves by thousandths, and a drop "by 0.00" looks like an error.
 */
export function ratingChange(
  before: number,
  now: number,
): { readonly before: string; readonly now: string; readonly distance: string; readonly fell: boolean } {
  const distance = Math.abs(now - before)
  const isVisibleTo = (places: number) =>
    before.toFixed(places) !== now.toFixed(places) && Number(distance.toFixed(places)) > 0
  let places = 2
  while (places < PLACES_MAX && before !== now && !isVisibleTo(places)) places += 1
  return {
    before: decimal(before, places),
    now: decimal(now, places),
    distance: decimal(distance, places),
    fell: now < before,
  }
}
