import { Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { commonTexts } from '../messages/common.ts'

/** The page's heading, a short description and its actions. */
export function PageHeader(props: {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
}) {
  useDocumentTitle(commonTexts.documentTitle(props.title))
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={2} style={{ flex: '1 1 240px', minWidth: 0 }}>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {props.title}
        </Title>
        {props.about !== undefined && (
          <Text c="dimmed" component="div">
            {props.about}
          </Text>
        )}
      </Stack>
      {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
    </Group>
  )
}
