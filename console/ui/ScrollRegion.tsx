import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Content that scrolls by itself where it does not fit; only then Tab stops at it, so that arrow keys scroll it. */
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
  // No landmark: a page has many of these.
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
