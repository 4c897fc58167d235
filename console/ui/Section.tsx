import { Card, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A titled part of a page; a landmark for screen readers. */
export function Section(props: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Card withBorder component="section" aria-label={props.title} h="100%">
      <Group justify="space-between" mb="sm" gap="xs">
        <div>
          <Title order={2} size="h5">
            {props.title}
          </Title>
          {props.about !== undefined && (
            <Text size="sm" c="dimmed">
              {props.about}
            </Text>
          )}
        </div>
        {props.actions}
      </Group>
      {props.children}
    </Card>
  )
}
