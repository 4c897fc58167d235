import { Button, Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import { REVIEWS_SELECTED_MAX } from '../../../src/model/input-limits.ts'
import { selectionTexts } from '../../messages/reviews.tsx'
import { BulkBar } from '../../ui/table/BulkBar.tsx'
import { useReviewSelection } from './selection.tsx'

/** What can be done with the selected reviews. It appears with the first one and stays at the bottom of the window. */
export function ReviewSelectionBar({ children }: { readonly children?: ReactNode }) {
  const selection = useReviewSelection()
  if (selection === null || selection.rows.length === 0) return null
  const { rows, loaded, selectLoaded, clear } = selection
  const isFull = rows.length >= REVIEWS_SELECTED_MAX
  return (
    <Paper
      withBorder
      shadow="md"
      p="xs"
      role="region"
      aria-label={selectionTexts.label}
      pos="sticky"
      bottom={8}
      style={{ zIndex: 3 }}
    >
      <BulkBar
        count={rows.length}
        hint=""
        {...(isFull && { selected: selectionTexts.full(rows.length) })}
        onClear={clear}
      >
        {children}
        {!isFull && loaded > rows.length && (
          <Button size="compact-sm" variant="subtle" onClick={selectLoaded}>
            {selectionTexts.all(Math.min(loaded, REVIEWS_SELECTED_MAX))}
          </Button>
        )}
      </BulkBar>
    </Paper>
  )
}
