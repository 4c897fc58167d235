import { Text } from '@mantine/core'

/** From one star to five. */
export const STAR_COLORS = ['red.7', 'orange.6', 'yellow.6', 'lime.7', 'teal.7'] as const

/** A theme colour such as `red.7`, as a CSS variable for SVG. */
export function cssColor(color: string): string {
  return `var(--mantine-color-${color.replace('.', '-')})`
}

/** Replaces a chart without data. */
export function NoData({ children }: { readonly children: string }) {
  return (
    <Text c="dimmed" size="sm" py="lg">
      {children}
    </Text>
  )
}
