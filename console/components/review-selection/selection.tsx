import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react'
import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import { REVIEWS_SELECTED_MAX } from '../../../src/model/input-limits.ts'

type Selected = ReadonlyMap<string, ReviewRow>

/** The reviews that a person selected in a list, in the order of selection. They stay selected when the list no longer shows them. */
type ReviewSelection = {
  readonly rows: readonly ReviewRow[]
  readonly has: (fingerprint: string) => boolean
  /** At most `REVIEWS_SELECTED_MAX` are selected; more are ignored. `extend`: also all between the review and the one toggled before. */
  readonly toggle: (review: ReviewRow, extend: boolean) => void
  /** For one that no longer exists. */
  readonly drop: (fingerprint: string) => void
  readonly clear: () => void
  /** How many reviews the list has loaded. */
  readonly loaded: number
  readonly selectLoaded: () => void
}

const SelectionContext = createContext<ReviewSelection | null>(null)

/** Null outside of a list with selection. */
export function useReviewSelection(): ReviewSelection | null {
  return useContext(SelectionContext)
}

/** Makes the reviews of a list selectable: `SelectReview` in its cards, `ReviewSelectionBar` below it. */
export function ReviewSelectionScope({
  reviews,
  children,
}: {
  /** Loaded by the list, in its order. */
  readonly reviews: readonly ReviewRow[]
  readonly children: ReactNode
}) {
  const [selected, setSelected] = useState<Selected>(new Map())
  const last = useRef<string | null>(null)
  const selection = useMemo<ReviewSelection>(
    () => ({
      rows: [...selected.values()],
      has: (fingerprint) => selected.has(fingerprint),
      toggle(review, extend) {
        const range = extend ? between(reviews, last.current, review) : [review]
        last.current = review.fingerprint
        const isSelecting = !selected.has(review.fingerprint)
        setSelected(
          isSelecting
            ? withAll(selected, range)
            : without(
                selected,
                range.map(({ fingerprint }) => fingerprint),
              ),
        )
      },
      drop: (fingerprint) => setSelected((now) => without(now, [fingerprint])),
      clear: () => setSelected(new Map()),
      loaded: reviews.length,
      selectLoaded: () => setSelected(withAll(selected, reviews)),
    }),
    [reviews, selected],
  )
  return <SelectionContext value={selection}>{children}</SelectionContext>
}

function between(reviews: readonly ReviewRow[], from: string | null, to: ReviewRow): readonly ReviewRow[] {
  const start = reviews.findIndex(({ fingerprint }) => fingerprint === from)
  const end = reviews.findIndex(({ fingerprint }) => fingerprint === to.fingerprint)
  return start === -1 || end === -1 ? [to] : reviews.slice(Math.min(start, end), Math.max(start, end) + 1)
}

function withAll(selected: Selected, added: readonly ReviewRow[]): Selected {
  const all = new Map([...selected, ...added.map((review) => [review.fingerprint, review] as const)])
  return new Map([...all].slice(0, REVIEWS_SELECTED_MAX))
}

function without(selected: Selected, removed: readonly string[]): Selected {
  return new Map([...selected].filter(([fingerprint]) => !removed.includes(fingerprint)))
}
