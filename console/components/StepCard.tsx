import { Card, Group, Stack, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** A numbered step, ticked once done. */
export function StepCard(props: {
  readonly number: number
  readonly done: boolean
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <Card withBorder component="section" aria-label={props.title}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon radius="xl" color={props.done ? 'teal' : 'gray'} variant={props.done ? 'filled' : 'light'}>
          {props.done ? <IconCheck size={16} aria-label="Done" /> : props.number}
        </ThemeIcon>
        <Stack gap="sm" align="flex-start" style={{ flex: 1, minWidth: 0 }}>
          <Title order={2} size="h4">
            {props.title}
          </Title>
          {props.children}
        </Stack>
      </Group>
    </Card>
  )
}
