import { Card, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Overview } from '../../src/contract/console/overview.ts'
import { ButtonLink } from '../ui/links.tsx'

/** The progress of a new account, with the way to its next step. */
export function Steps({ steps }: { readonly steps: Overview['steps'] }) {
  const list = [
    { done: steps.app, label: 'Track an app' },
    { done: steps.destination, label: 'Add a destination' },
    { done: steps.delivered, label: 'Receive an event' },
  ]
  return (
    <Card withBorder component="section" aria-label="Getting started">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5" mb={6}>
            Three steps to your first event
          </Title>
          <Group gap="lg">
            {list.map(({ done, label }, index) => (
              <Group key={label} gap={6}>
                <ThemeIcon
                  size="sm"
                  radius="xl"
                  color={done ? 'teal' : 'gray'}
                  variant={done ? 'filled' : 'light'}
                >
                  {done ? <IconCheck size={12} aria-label="Done" /> : <Text size="xs">{index + 1}</Text>}
                </ThemeIcon>
                <Text size="sm">{label}</Text>
              </Group>
            ))}
          </Group>
        </div>
        <ButtonLink to="/getting-started">Continue</ButtonLink>
      </Group>
    </Card>
  )
}
