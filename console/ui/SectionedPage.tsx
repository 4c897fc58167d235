import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * The part of a page below its heading that has sections with addresses: links to them, and the shown one. The links are beside it, or in
 * a row above it that scrolls on narrow screens.
 */
export function SectionedPage(props: {
  /** Names the links for screen readers. */
  readonly label: string
  readonly links: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="sectioned">
      <nav aria-label={props.label} className="section-links">
        {props.links}
      </nav>
      <Stack gap="lg" className="section-content">
        {props.children}
      </Stack>
    </div>
  )
}
