import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

/** Rows before and after the visible ones. */
const OVERSCAN = 5

/** The rows of a long list that are near the visible part of the page, and the heights of the others before and after them. */
export function useVirtualRows<E extends HTMLElement>(count: number, estimatedPx: number) {
  const start = useRef<E>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // After each render: what is above the list may have changed its height.
  useLayoutEffect(() => {
    if (start.current === null) return
    const margin = Math.round(start.current.getBoundingClientRect().top + window.scrollY)
    if (margin !== scrollMargin) setScrollMargin(margin)
  })
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => estimatedPx,
    overscan: OVERSCAN,
    scrollMargin,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    /** The element that contains the rows. */
    start,
    items,
    before: first === undefined ? 0 : first.start - scrollMargin,
    after: last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - scrollMargin),
    /** The ref of each row, which also has its `data-index`. */
    measure: virtualizer.measureElement,
  }
}
