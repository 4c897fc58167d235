import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { destinations } from '../data/destinations.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'
import { useProblems } from './problems.ts'

const OVERLAPS = [
  { value: '0', label: 'Revoke the old secret now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
]

/** Rotates the signing secret and shows the new one once. The old one stays valid for the chosen time. */
export function RotateModal(props: {
  readonly page: DestinationPage
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}) {
  const { page, onClose, onDone } = props
  const [overlapHours, setOverlapHours] = useState('24')
  const rotate = useMutation({
    mutationFn: () => destinations.rotate(page.id, Number(overlapHours)),
    onSuccess: onDone,
  })
  const revoke = useMutation({
    mutationFn: () => destinations.revokeOld(page.id),
    onSuccess: async () => {
      notifyDone('Old secrets revoked.')
      await onDone()
      onClose()
    },
    onError: notifyFailed,
  })
  const problems = useProblems(rotate.error, ['overlapHours'])
  return (
    <Modal
      opened
      onClose={onClose}
      title="Rotate the signing secret"
      size="lg"
      closeOnClickOutside={rotate.data === undefined}
    >
      {rotate.data === undefined ? (
        <Stack>
          <FormProblem error={problems.beside} />
          <Text size="sm">
            <b>x-radar-signature</b> uses the new secret at once. <b>webhook-signature</b> carries both
            signatures for the time you choose, so that your receiver can switch without downtime.
          </Text>
          <Select
            label="Keep the old secret valid for"
            data={OVERLAPS}
            value={overlapHours}
            onChange={(value) => {
              problems.edited('overlapHours')
              setOverlapHours(value ?? '24')
            }}
            error={problems.at('overlapHours')}
            allowDeselect={false}
          />
          {page.oldSecretsExpireAt.length > 0 && (
            <Group gap="xs">
              <Text size="sm">
                An older secret is still valid. It expires <Instant at={page.oldSecretsExpireAt[0] ?? null} />
                .
              </Text>
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                loading={revoke.isPending}
                onClick={() => revoke.mutate()}
              >
                Revoke now
              </Button>
            </Group>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text size="sm">Copy the new secret now. You cannot see it again.</Text>
          <CopyValue value={rotate.data.secret} what="signing secret" />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
