import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { destinations } from '../data/destinations.ts'
import { CopyValue } from '../ui/CopyValue.tsx'
import { tellDone, tellFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Instant } from '../ui/Instant.tsx'

const OVERLAPS = [
  { value: '0', label: 'Not at all: revoke the old secret now' },
  { value: '1', label: 'One hour' },
  { value: '24', label: 'A day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'A week' },
]

/** A new secret, shown once, while the old one still signs for as long as the receiver needs to change over. */
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
      tellDone('Only the current secret signs now.')
      await onDone()
      onClose()
    },
    onError: tellFailed,
  })
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
          <FormProblem error={rotate.error} />
          <Text size="sm">
            <b>x-radar-signature</b> is made with the new secret at once; <b>webhook-signature</b> carries
            both for the time you choose, so a receiver that uses it can change over without a gap.
          </Text>
          <Select
            label="How long the old secret still signs"
            data={OVERLAPS}
            value={overlapHours}
            onChange={(value) => setOverlapHours(value ?? '24')}
            allowDeselect={false}
          />
          {page.oldSecretsExpireAt.length > 0 && (
            <Group gap="xs">
              <Text size="sm">
                An older secret still signs; it ends <Instant at={page.oldSecretsExpireAt[0] ?? null} />
              </Text>
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                loading={revoke.isPending}
                onClick={() => revoke.mutate()}
              >
                Revoke it now
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
          <Text size="sm">Copy it now: it is shown this once.</Text>
          <CopyValue value={rotate.data.secret} what="signing secret" />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have copied it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
