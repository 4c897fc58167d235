import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FoundApp } from '../../src/contract/console/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { StorefrontPicker } from '../components/StorefrontPicker.tsx'
import { trackStorefronts } from '../data/apps.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { counted } from '../util/numbers.ts'

/** Chooses the storefronts of a found app and tracks it there. */
export function TrackAppModal({
  app,
  first,
  onClose,
}: {
  readonly app: FoundApp
  readonly first: Storefront
  readonly onClose: () => void
}) {
  const [storefronts, setStorefronts] = useState<Storefront[]>([first])
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const track = useMutation({
    mutationFn: () => trackStorefronts({ store: app.store, appId: app.appId, storefronts }),
    onSuccess: async () => {
      notifyDone(`You now track ${app.name}. The first reviews arrive in a moment.`)
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: '/apps/$store/$appId', params: { store: app.store, appId: app.appId } })
    },
  })
  return (
    <Modal opened onClose={onClose} title={`Track ${app.name}`} size="lg">
      <Stack>
        <FormProblem error={track.error} />
        <StorefrontPicker value={storefronts} onChange={setStorefronts} />
        <Text size="sm" c="dimmed">
          You see the app's reviews and ratings here. To send them elsewhere,{' '}
          <AnchorLink to="/destinations/new" size="sm" underline="always">
            add a destination
          </AnchorLink>{' '}
          afterwards.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={storefronts.length === 0}
            loading={track.isPending}
            onClick={() => track.mutate()}
          >
            Track in {counted(storefronts.length, 'storefront')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
