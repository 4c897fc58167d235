import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AppPage } from '../../src/contract/console/apps.ts'
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
  page,
  onClose,
}: {
  readonly page: AppPage
  readonly onClose: () => void
}) {
  const [storefronts, setStorefronts] = useState<Storefront[]>([...page.storefronts])
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => trackStorefronts({ store: page.store, appId: page.appId, storefronts }),
    onSuccess: async () => {
      notifyDone(storefrontTexts.saved)
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await queryClient.invalidateQueries({ queryKey: ['app', page.store, page.appId] })
    },
  })
  const confirmStop = useStopTracking(page)
  const problems = useProblems(save.error, ['storefronts'])
  return (
    <Modal opened onClose={onClose} title={storefrontTexts.title} size="lg">
      <Stack>
        <FormProblem error={problems.beside} />
        <StorefrontPicker
          value={storefronts}
          onChange={(value) => {
            problems.edited('storefronts')
            setStorefronts(value)
          }}
          error={problems.at('storefronts')}
        />
        {page.neededStorefronts.length > 0 && (
          <Alert variant="light">
            {storefrontTexts.alwaysTracked(page.neededStorefronts.map(storefrontName).join(', '))}
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
function useStopTracking(page: AppPage): () => void {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const stop = async () => {
    try {
      await trackStorefronts({ store: page.store, appId: page.appId, storefronts: [] })
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: '/apps' })
      notifyDone(storefrontTexts.stopped(page.name ?? page.appId))
    } catch (error) {
      notifyFailed(error)
    }
  }
  return () =>
    confirmDestructive({
      title: storefrontTexts.stopTitle(page.name ?? page.appId),
      consequence:
        page.neededStorefronts.length > 0 ? storefrontTexts.stopNeededNote : storefrontTexts.stopNote,
      verb: storefrontTexts.stop,
      onConfirm: stop,
    })
}
