import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Scrollable content. It takes the keyboard focus only if it overflows, so that arrow keys can scroll it. */
export function ScrollRegion({
  label,
  maxHeight,
  children,
}: {
  readonly label: string
  readonly maxHeight?: number
  readonly children: ReactNode
}) {
  const region = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = region.current
    if (element === null) return
    const watcher = new ResizeObserver(() =>
      setScrolls(
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1,
      ),
    )
    watcher.observe(element)
    for (const child of element.children) watcher.observe(child)
    return () => watcher.disconnect()
  }, [])
  // Not a landmark: a page has many of these.
  const group = { role: 'group', 'aria-label': label }
  return (
    <div
      ref={region}
      style={{ overflow: 'auto', ...(maxHeight === undefined ? {} : { maxHeight }) }}
      {...group}
      {...(scrolls ? { tabIndex: 0 } : {})}
    >
      {children}
    </div>
  )
}
