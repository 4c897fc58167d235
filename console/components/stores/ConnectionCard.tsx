import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CONNECTION_KIND_NAMES } from '../../../src/contract/console/display-names.ts'
import type { StoreConnectionView } from '../../../src/contract/v1/store-connections.ts'
import { stores } from '../../data/stores.ts'
import { ConnectStoreModal } from '../../forms/stores/ConnectStoreModal.tsx'
import { EditConnectionModal } from '../../forms/stores/EditConnectionModal.tsx'
import { connectionTexts } from '../../messages/stores.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { Section } from '../../ui/Section.tsx'
import { ReachedApps } from './ReachedApps.tsx'

/** One connection: the result of its last test, the apps that it reaches, and what owners can do. */
export function ConnectionCard({
  connection,
  all,
  isOwner,
}: {
  readonly connection: StoreConnectionView
  readonly all: readonly StoreConnectionView[]
  readonly isOwner: boolean
}) {
  const [open, setOpen] = useState<'edit' | 'rotate' | null>(null)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['stores'] })
  const test = useMutation({
    mutationFn: () => stores.test(connection.id),
    onSuccess: async ({ problem }) => {
      await refresh()
      if (problem === null) notifyDone(connectionTexts.accepted)
    },
    onError: notifyFailed,
  })
  const remove = () =>
    confirmDestructive({
      title: connectionTexts.removeTitle(connection.name),
      consequence: connectionTexts.removeBody,
      verb: connectionTexts.remove,
      onConfirm: () =>
        stores
          .remove(connection.id)
          .then(refresh)
          .then(() => notifyDone(connectionTexts.removed), notifyFailed),
    })
  const { problem, warnings, rights } = connection
  return (
    <Section
      title={connection.name}
      about={connectionTexts.about(
        CONNECTION_KIND_NAMES[connection.kind],
        connection.subject,
        <Instant at={connection.checked_at} />,
      )}
      actions={
        isOwner && (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              {connectionTexts.test}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
              {connectionTexts.edit}
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('rotate')}>
              {connectionTexts.replaceKey}
            </Button>
            <Button size="xs" variant="subtle" color="red" onClick={remove}>
              {connectionTexts.remove}
            </Button>
          </Group>
        )
      }
    >
      <Stack>
        <Group gap="xs">
          <Badge color={problem === null ? 'teal' : 'red'} variant="light" tt="none">
            {problem === null ? connectionTexts.connected : connectionTexts.refused}
          </Badge>
          {problem === null && (
            <Badge color={rights.reply === 'denied' ? 'yellow' : 'gray'} variant="light" tt="none">
              {REPLY_RIGHTS[rights.reply]}
            </Badge>
          )}
        </Group>
        {problem !== null && (
          <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {problem}
          </Alert>
        )}
        {warnings.length > 0 && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            <List size="sm" listStyleType="none">
              {warnings.map((warning) => (
                <List.Item key={warning}>{warning}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        {connection.apps.length === 0 ? (
          <Text c="dimmed">{connectionTexts.noApps}</Text>
        ) : (
          <ReachedApps connection={connection} all={all} isOwner={isOwner} />
        )}
      </Stack>
      {open === 'edit' && <EditConnectionModal connection={connection} onClose={() => setOpen(null)} />}
      {open === 'rotate' && <ConnectStoreModal replaced={connection} onClose={() => setOpen(null)} />}
    </Section>
  )
}

const REPLY_RIGHTS = {
  granted: connectionTexts.mayAnswer,
  denied: connectionTexts.mayNotAnswer,
  unknown: connectionTexts.answerUnknown,
} as const
