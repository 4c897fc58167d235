import { measureElement, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

/** Rows before and after the visible ones. */
const OVERSCAN = 5

/**
 * The rows of a long list that are near the visible part of the page, and the heights of the others before and after them.
 *
 * Nothing is measured while React renders: the columns of a table depend on the rows in it, so a height that was set then could render
 * other rows with other heights, and so on without end. The observers of sizes report each once after the layout.
 */
export function useVirtualRows<E extends HTMLElement>(count: number, estimatedPx: number) {
  const start = useRef<E>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (start.current === null) return
      setScrollMargin(Math.round(start.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    // What is above the list may change its height, and with it that of the page.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtualizer = useWindowVirtualizer<Element>({
    count,
    estimateSize: () => estimatedPx,
    overscan: OVERSCAN,
    scrollMargin,
    measureElement: (row, entry, instance) => {
      if (entry !== undefined) return measureElement(row, entry, instance)
      const index = instance.indexFromElement(row)
      return instance.itemSizeCache.get(instance.options.getItemKey(index)) ?? estimatedPx
    },
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
