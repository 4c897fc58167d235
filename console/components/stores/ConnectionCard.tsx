import { Alert, Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectionLine } from '../../../src/contract/console/connections.ts'
import { CONNECTION_KIND_NAMES } from '../../../src/contract/console/display-names.ts'
import { stores } from '../../data/stores.ts'
import { ConnectStoreModal } from '../../forms/stores/ConnectStoreModal.tsx'
import { EditConnectionModal } from '../../forms/stores/EditConnectionModal.tsx'
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
  readonly connection: ConnectionLine
  readonly all: readonly ConnectionLine[]
  readonly isOwner: boolean
}) {
  const [open, setOpen] = useState<'edit' | 'rotate' | null>(null)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['stores'] })
  const test = useMutation({
    mutationFn: () => stores.test(connection.id),
    onSuccess: async ({ problem }) => {
      await refresh()
      if (problem === null) notifyDone('The store accepted the credentials.')
    },
    onError: notifyFailed,
  })
  const remove = () =>
    confirmDestructive({
      title: `Remove “${connection.name}”?`,
      consequence:
        'The stored credentials are deleted at once. Its apps stay tracked, with reviews from the public pages. Reviews can no longer be answered here. The key itself stays valid until you revoke it in the store.',
      verb: 'Remove',
      onConfirm: () =>
        stores
          .remove(connection.id)
          .then(refresh)
          .then(() => notifyDone('Connection removed.'), notifyFailed),
    })
  const { problem, warnings, rights } = connection
  return (
    <Section
      title={connection.name}
      about={
        <>
          {CONNECTION_KIND_NAMES[connection.kind]} · {connection.subject} · Tested{' '}
          <Instant at={connection.checkedAt} />
        </>
      }
      actions={
        isOwner && (
          <Group gap="xs">
            <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Test
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('edit')}>
              Edit
            </Button>
            <Button size="xs" variant="default" onClick={() => setOpen('rotate')}>
              Replace key
            </Button>
            <Button size="xs" variant="subtle" color="red" onClick={remove}>
              Remove
            </Button>
          </Group>
        )
      }
    >
      <Stack>
        <Group gap="xs">
          <Badge color={problem === null ? 'teal' : 'red'} variant="light" tt="none">
            {problem === null ? 'Connected' : 'Refused by the store'}
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
          <Text c="dimmed">These credentials reach no app.</Text>
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
  granted: 'May answer reviews',
  denied: 'May not answer reviews',
  unknown: 'Right to answer: unknown until the first answer',
} as const
