import { ActionIcon, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBaselineDensityMedium, IconLayoutList } from '@tabler/icons-react'
import { reviewTexts } from '../messages/reviews.tsx'
import type { RowSize } from './ReviewList.tsx'

/** How this browser shows reviews. */
export function useRowSize() {
  return useLocalStorage<RowSize>({
    key: 'radar.reviews.rows',
    defaultValue: 'full',
    serialize: (size) => size,
    deserialize: (text) => (text === 'compact' ? 'compact' : 'full'),
    getInitialValueInEffect: false,
  })
}

export function RowSizeButton({
  rowSize,
  onChange,
}: {
  readonly rowSize: RowSize
  readonly onChange: (rowSize: RowSize) => void
}) {
  const isCompact = rowSize === 'compact'
  const label = isCompact ? reviewTexts.fullRows : reviewTexts.compactRows
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="input-sm"
        aria-label={label}
        onClick={() => onChange(isCompact ? 'full' : 'compact')}
      >
        {isCompact ? (
          <IconLayoutList size={18} aria-hidden />
        ) : (
          <IconBaselineDensityMedium size={18} aria-hidden />
        )}
      </ActionIcon>
    </Tooltip>
  )
}
