import { Card, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { startTexts } from '../../messages/start.tsx'
import { MayChange } from '../MayChange.tsx'

/** A numbered step: a check mark once done, its content while current, which is something to change. */
export function Step(props: {
  readonly number: number
  readonly title: string
  readonly done: boolean
  readonly current: boolean
  readonly children: ReactNode
}) {
  const { number, title, done, current, children } = props
  return (
    <Card
      withBorder
      padding="sm"
      component="article"
      aria-label={startTexts.step(number, title)}
      {...(current ? { 'aria-current': 'step' as const } : {})}
    >
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon radius="xl" color={done ? 'teal' : 'gray'} variant={done ? 'filled' : 'light'}>
          {done ? <IconCheck size={16} aria-label={startTexts.done} /> : number}
        </ThemeIcon>
        <Stack gap="xs" align="flex-start" style={{ flex: 1, minWidth: 0 }}>
          <Text fw={600} mt={2} {...(current ? {} : { c: 'dimmed' })}>
            {title}
          </Text>
          <MayChange>{current && children}</MayChange>
        </Stack>
      </Group>
    </Card>
  )
}
