import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { destinations } from '../data/destinations.ts'
import { commonTexts } from '../messages/common.ts'
import { secretTexts } from '../messages/destinations.tsx'
import { CopyValue } from '../ui/CopyValue.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { useProblems } from './problems.ts'

const OVERLAPS = [
  { value: '0', label: secretTexts.revokeNow },
  { value: '1', label: secretTexts.oneHour },
  { value: '24', label: secretTexts.oneDay },
  { value: '72', label: secretTexts.threeDays },
  { value: '168', label: secretTexts.sevenDays },
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
  const problems = useProblems(rotate.error, ['overlap_hours'])
  return (
    <Modal
      opened
      onClose={onClose}
      title={secretTexts.rotateTitle}
      size="lg"
      closeOnClickOutside={rotate.data === undefined}
    >
      {rotate.data === undefined ? (
        <Stack>
          <FormProblem error={problems.beside} />
          <Text size="sm">
            {secretTexts.rotateNote(
              <b>{secretTexts.bodySignature}</b>,
              <b>{secretTexts.standardSignature}</b>,
            )}
          </Text>
          <Select
            label={secretTexts.keepOld}
            data={OVERLAPS}
            value={overlapHours}
            onChange={(value) => {
              problems.edited('overlap_hours')
              setOverlapHours(value ?? '24')
            }}
            error={problems.at('overlap_hours')}
            allowDeselect={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
              {secretTexts.rotate}
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text size="sm">{secretTexts.copyNew}</Text>
          <CopyValue value={rotate.data.secret} what={commonTexts.signingSecret} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{commonTexts.done}</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
