import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AppPage } from '../../src/contract/console/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { StorefrontPicker } from '../components/StorefrontPicker.tsx'
import { trackStorefronts } from '../data/apps.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { storefrontName } from '../util/storefronts.ts'
import { useProblems } from './problems.ts'

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
      notifyDone('Storefronts saved. New ones are checked right away.')
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await queryClient.invalidateQueries({ queryKey: ['app', page.store, page.appId] })
    },
  })
  const confirmStop = useStopTracking(page)
  const problems = useProblems(save.error, ['storefronts'])
  return (
    <Modal opened onClose={onClose} title="Edit storefronts" size="lg">
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
            Always tracked, because destinations need them:{' '}
            {page.neededStorefronts.map(storefrontName).join(', ')}
          </Alert>
        )}
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={confirmStop}>
            Stop tracking
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save
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
      notifyDone(`You no longer track ${page.name ?? page.appId}.`)
    } catch (error) {
      notifyFailed(error)
    }
  }
  return () =>
    confirmDestructive({
      title: `Stop tracking ${page.name ?? page.appId}?`,
      consequence:
        page.neededStorefronts.length > 0
          ? 'All storefronts are deselected. Subscriptions to this app still send its events. Subscriptions to all apps no longer cover it.'
          : 'Its reviews and ratings are removed from this console and no longer checked. If you track it again later, you start from scratch.',
      verb: 'Stop tracking',
      onConfirm: stop,
    })
}
