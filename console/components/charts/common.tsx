import { Text } from '@mantine/core'

/** One star to five. */
export const STAR_COLORS = ['red.7', 'orange.6', 'yellow.6', 'lime.7', 'teal.7'] as const

/** A colour of the theme, such as `red.7`, for SVG. */
export function cssColor(color: string): string {
  return `var(--mantine-color-${color.replace('.', '-')})`
}

/** Shown in place of a chart without data. */
export function NoData({ children }: { readonly children: string }) {
  return (
    <Text c="dimmed" size="sm" py="lg">
      {children}
    </Text>
  )
}
