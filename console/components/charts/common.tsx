import { Text } from '@mantine/core'

/** Of every chart, in pixels. */
export const CHART_HEIGHT = 220
/** One star to five. */
export const STAR_COLORS = ['red.7', 'orange.6', 'yellow.6', 'lime.7', 'teal.7'] as const

/** Stands in for a chart without data. */
export function NoData({ children }: { readonly children: string }) {
  return (
    <Text c="dimmed" size="sm" py="lg">
      {children}
    </Text>
  )
}
