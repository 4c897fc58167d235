import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import type { FoundApp } from '../../src/contract/v1/apps.ts'
import type { Storefront } from '../../src/model/vocabulary.ts'
import { trackStorefronts } from '../data/apps.ts'
import { useOpenInbox } from '../data/inbox.ts'
import { addAppTexts } from '../messages/apps.tsx'
import { commonTexts } from '../messages/common.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { ButtonLink } from '../ui/links.tsx'
import { useProblems } from './problems.ts'
import { StorefrontPicker } from './StorefrontPicker.tsx'

/** Asks for storefronts, tracks the app's listings there, then offers to set up its events. */
export function TrackAppModal({
  apps,
  first,
  onClose,
}: {
  /** The listings of one app. */
  readonly apps: readonly FoundApp[]
  readonly first: Storefront
  readonly onClose: () => void
}) {
  const [storefronts, setStorefronts] = useState<Storefront[]>([first])
  const name = apps[0]?.name ?? ''
  const queryClient = useQueryClient()
  const track = useMutation({
    mutationFn: async () => {
      for (const app of apps) await trackStorefronts(app, storefronts)
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
    },
  })
  const problems = useProblems(track.error, ['countries'])
  return (
    <Modal
      opened
      onClose={onClose}
      title={track.isSuccess ? addAppTexts.trackedTitle(name) : addAppTexts.trackTitle(name)}
      size="lg"
    >
      {track.isSuccess ? (
        <Tracked apps={apps} />
      ) : (
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
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button
              disabled={storefronts.length === 0}
              loading={track.isPending}
              onClick={() => track.mutate()}
            >
              {addAppTexts.trackIn(storefronts.length)}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

function Tracked({ apps }: { readonly apps: readonly FoundApp[] }) {
  const open = useOpenInbox()
  return (
    <Stack>
      <Text>{addAppTexts.trackedNote}</Text>
      <FormProblem error={open.error} />
      <Group>
        <Button loading={open.isPending} onClick={() => open.mutate(apps)} data-autofocus>
          {addAppTexts.showInInbox}
        </Button>
        <ButtonLink variant="default" to="/destinations/new">
          {addAppTexts.addWebhook}
        </ButtonLink>
        {apps.map(({ store, app_id: appId }) => (
          <ButtonLink key={store} variant="default" to="/apps/$store/$appId" params={{ store, appId }}>
            {apps.length === 1 ? addAppTexts.viewApp : addAppTexts.viewIn(STORE_NAMES[store])}
          </ButtonLink>
        ))}
      </Group>
    </Stack>
  )
}
