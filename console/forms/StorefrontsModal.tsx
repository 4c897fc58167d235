import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { trackStorefronts } from '../data/apps.ts'
import { storefrontTexts } from '../messages/apps.tsx'
import { commonTexts } from '../messages/common.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { storefrontName } from '../util/storefronts.ts'
import { useProblems } from './problems.ts'
import { StorefrontPicker } from './StorefrontPicker.tsx'

/** Changes the tracked storefronts of an app, or stops tracking it. */
export function StorefrontsModal({
  app,
  onClose,
}: {
  readonly app: TrackedApp
  readonly onClose: () => void
}) {
  const [storefronts, setStorefronts] = useState<Storefront[]>([...app.countries])
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => trackStorefronts(app, storefronts),
    onSuccess: async () => {
      notifyDone(storefrontTexts.saved)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await queryClient.invalidateQueries({ queryKey: ['app', app.store, app.app_id] })
    },
  })
  const confirmStop = useStopTracking(app)
  const problems = useProblems(save.error, ['countries'])
  return (
    <Modal opened onClose={onClose} title={storefrontTexts.title} size="lg">
      <Stack>
        <FormProblem error={problems.beside} />
        <StorefrontPicker
          value={storefronts}
          onChange={(value) => {
            problems.edited('countries')
            setStorefronts(value)
          }}
          error={problems.at('countries')}
        />
        {app.needed_countries.length > 0 && (
          <Alert variant="light">
            {storefrontTexts.alwaysTracked(app.needed_countries.map(storefrontName).join(', '))}
          </Alert>
        )}
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={confirmStop}>
            {storefrontTexts.stop}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {commonTexts.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** After confirmation, stops tracking the app and opens the list. */
function useStopTracking(app: TrackedApp): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const stop = async () => {
    try {
      await trackStorefronts(app, [])
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: '/apps' })
      notifyDone(storefrontTexts.stopped(app.name ?? app.app_id))
    } catch (error) {
      notifyFailed(error)
    }
  }
  return () =>
    confirmDestructive({
      title: storefrontTexts.stopTitle(app.name ?? app.app_id),
      consequence:
        app.needed_countries.length > 0 ? storefrontTexts.stopNeededNote : storefrontTexts.stopNote,
      verb: storefrontTexts.stop,
      onConfirm: stop,
    })
}
