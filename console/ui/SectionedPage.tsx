import { Stack } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'

export type SectionLink = {
  readonly label: string
  readonly active: boolean
  readonly 'aria-current': 'page' | undefined
}

/**
 * The part of a page below its heading that has sections with addresses: links to them, and the shown one. The links are beside it, or in
 * a row above it that scrolls on narrow screens.
 */
export function SectionedPage<Id extends string>(props: {
  /** Names the links for screen readers. */
  readonly label: string
  readonly sections: readonly { readonly id: Id; readonly label: string }[]
  /** The id of the shown section. */
  readonly shown: string
  /** A link to a section, with the given properties. */
  readonly link: (id: Id, given: SectionLink) => ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="sectioned">
      <nav aria-label={props.label} className="section-links">
        {props.sections.map(({ id, label }) => {
          const active = id === props.shown
          const current = active ? 'page' : undefined
          return <Fragment key={id}>{props.link(id, { label, active, 'aria-current': current })}</Fragment>
        })}
      </nav>
      <Stack gap="lg" className="section-content">
        {props.children}
      </Stack>
    </div>
  )
}
