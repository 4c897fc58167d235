import { Alert, Button, Center, Loader, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { commonTexts, stateTexts } from '../messages/common.ts'

/** Explains an empty list and offers an action. */
export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={460}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" ta="center">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** Shown if no item matches the filters. */
export function NoMatch({ what, onClear }: { readonly what: string; readonly onClear: () => void }) {
  return (
    <Empty
      title={stateTexts.noMatch(what)}
      action={
        <Button variant="light" onClick={onClear}>
          {commonTexts.clearFilters}
        </Button>
      }
    />
  )
}

/** A failed load, with the service's message and a retry. */
export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={stateTexts.failed} my="md" role="alert">
      <Stack align="flex-start" gap="xs">
        <Text size="sm">{error.message}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {stateTexts.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Placeholder rows, so that the layout does not shift. */
export function LoadingLines({ lines = 6 }: { readonly lines?: number }) {
  return (
    <Stack gap="xs" py="md" role="group" aria-busy="true" aria-label={stateTexts.loading}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
        <Skeleton key={at} height={36} />
      ))}
    </Stack>
  )
}

export function LoadingPage() {
  return (
    <Center h={240} aria-busy="true">
      <Loader aria-label={stateTexts.loading} />
    </Center>
  )
}
