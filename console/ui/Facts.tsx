import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { number } from '../util/numbers.ts'

/** Labelled figures in a row. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Group gap="xl" component="dl" m={0} style={{ rowGap: 'var(--mantine-spacing-sm)' }}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" c="dimmed" component="dt">
            {name}
          </Text>
          <Text fw={600} component="dd" m={0}>
            {typeof value === 'number' ? number(value) : value}
          </Text>
        </div>
      ))}
    </Group>
  )
}
