import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { storefrontName } from '../../src/contract/console/market-names.ts'
import type { TrackedApp } from '../../src/contract/v1/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { trackStorefronts } from '../data/apps.ts'
import { storefrontTexts } from '../messages/apps.tsx'
import { commonTexts } from '../messages/common.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { useProblems } from './problems.ts'
import { StopTrackingModal } from './StopTrackingModal.tsx'
import { StorefrontPicker } from './StorefrontPicker.tsx'

/** Changes the tracked storefronts of an app, or stops tracking it. Without a storefront there is nothing to save. */
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
  const [isStopping, setStopping] = useState(false)
  const problems = useProblems(save.error, ['countries'])
  if (isStopping) return <StopTrackingModal app={app} onClose={onClose} />
  const stillChecked = app.watched_countries.filter((storefront) => !storefronts.includes(storefront))
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
        {storefronts.length > 0 && stillChecked.length > 0 && (
          <Alert variant="light">
            {storefrontTexts.alwaysTracked(stillChecked.map(storefrontName).join(', '))}
          </Alert>
        )}
        <Group justify="space-between">
          <Button variant="subtle" color="red" onClick={() => setStopping(true)}>
            {storefrontTexts.stop}
          </Button>
          <Button disabled={storefronts.length === 0} loading={save.isPending} onClick={() => save.mutate()}>
            {commonTexts.save}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
