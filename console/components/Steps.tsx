import { Button, Card, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../src/contract/console/overview.ts'
import { paths } from '../util/paths.ts'

/** What a new account has done so far, leading to what comes next. */
export function Steps({ steps }: { readonly steps: Overview['steps'] }) {
  const list = [
    { done: steps.app, label: 'Watch an app' },
    { done: steps.destination, label: 'Add a destination' },
    { done: steps.delivered, label: 'See the first event arrive' },
  ]
  return (
    <Card withBorder component="section" aria-label="Getting started">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5" mb={6}>
            Three steps to the first event
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
                  {done ? <IconCheck size={12} aria-label="done" /> : <Text size="xs">{index + 1}</Text>}
                </ThemeIcon>
                <Text size="sm">{label}</Text>
              </Group>
            ))}
          </Group>
        </div>
        <Button component={Link} to={paths.gettingStarted()}>
          Continue
        </Button>
      </Group>
    </Card>
  )
}
