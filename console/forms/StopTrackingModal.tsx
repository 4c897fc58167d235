import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { storefrontName } from '../../src/contract/console/market-names.ts'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import { untrack } from '../data/apps.ts'
import { storefrontTexts } from '../messages/apps.tsx'
import { commonTexts } from '../messages/common.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'

/** Stops tracking an app, and says what then still checks it. */
export function StopTrackingModal({
  app,
  onClose,
}: {
  readonly app: TrackedApp
  readonly onClose: () => void
}) {
  const { console: removable, programs } = app.named_by
  const [removes, setRemoves] = useState(true)
  const name = app.name ?? app.app_id
  const isKept = programs > 0 || (removable > 0 && !removes)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const stop = useMutation({
    mutationFn: () => untrack(app, removes ? 'remove' : 'keep'),
    onSuccess: async () => {
      for (const key of ['apps', 'overview', 'destinations', 'inbox'])
        await queryClient.invalidateQueries({ queryKey: [key] })
      await navigate({ to: '/apps' })
      notifyDone(isKept ? storefrontTexts.stoppedKept(name) : storefrontTexts.stopped(name))
    },
  })
  return (
    <Modal opened onClose={onClose} title={storefrontTexts.stopTitle(name)}>
      <Stack>
        <FormProblem error={stop.error} />
        {removable > 0 && (
          <Checkbox
            label={storefrontTexts.removeToo(removable)}
            checked={removes}
            onChange={(event) => setRemoves(event.currentTarget.checked)}
          />
        )}
        {programs > 0 && <Text size="sm">{storefrontTexts.programsNote(programs)}</Text>}
        {!isKept && <Text size="sm">{storefrontTexts.stopNote}</Text>}
        {!removes && (
          <Text size="sm">{storefrontTexts.keptNote(app.kept_countries.map(storefrontName).join(', '))}</Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
            {storefrontTexts.stop}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
