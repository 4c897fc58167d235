import type { AnchorProps } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import { AnchorLink } from '../../ui/links.tsx'

/** How a review opens from a list, and its place there for screen readers. */
export type InFeed = {
  readonly position: number
  readonly size: number
  /** It is shown beside the list. */
  readonly isOpen: boolean
  readonly onOpen: () => void
}

/** A link to a review. In a feed it opens the review as a press on the card does; a new tab has its page. */
export function ReviewLink({
  review: { fingerprint },
  inFeed,
  children,
  ...anchor
}: AnchorProps & {
  readonly review: Pick<ReviewRow, 'fingerprint'>
  readonly inFeed: InFeed | undefined
  readonly dir?: 'auto'
  readonly children: ReactNode
}) {
  return (
    <AnchorLink
      to="/reviews/$fingerprint"
      params={{ fingerprint }}
      size="sm"
      {...anchor}
      onClick={(event: MouseEvent) => {
        if (inFeed === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        inFeed.onOpen()
      }}
    >
      {children}
    </AnchorLink>
  )
}
