import { Alert, Anchor, Button, Card, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FoundApp } from '../../src/contract/console/apps.ts'
import { STOREFRONTS, type Storefront } from '../../src/model/vocabulary.ts'
import { AppIcon } from '../components/AppIcon.tsx'
import { AggregateRating } from '../components/Rating.tsx'
import { StoreBadge } from '../components/StoreBadge.tsx'
import { StorefrontPicker } from '../components/StorefrontPicker.tsx'
import { findQuery, follow } from '../data/apps.ts'
import { tellDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'
import { STOREFRONT_OPTIONS } from '../util/options.ts'
import { paths } from '../util/paths.ts'
import { counted } from '../util/words.ts'

/** Typing pauses this long before a store is asked: each look-up counts against its limit. */
const TYPING_PAUSE_MS = 500

/** Find an app by name, or by what people have at hand: its store link, id or package name. */
export function AddApp() {
  const [text, setText] = useState('')
  const [storefront, setStorefront] = useState<Storefront>('us')
  const [chosen, setChosen] = useState<FoundApp | null>(null)
  const [asked] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS)
  const found = useQuery(findQuery(asked, storefront))
  const nothing = found.data?.apps.length === 0 && !found.isFetching
  const unanswered = (found.data?.problems.length ?? 0) > 0
  return (
    <>
      <PageHeader
        title="Add an app"
        about="By name, or paste its store link, its App Store id or its Google Play package name"
      />
      <Group align="flex-end" mb="md">
        <TextInput
          label="App"
          placeholder="Name, link, id or package name"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: '1 1 240px' }}
        />
        <Select
          label="Look in"
          data={STOREFRONT_OPTIONS}
          value={storefront}
          onChange={(value) => setStorefront(STOREFRONTS.find((code) => code === value) ?? 'us')}
          allowDeselect={false}
          w={180}
        />
      </Group>
      <div aria-live="polite">
        {found.isFetching && <LoadingLines lines={3} />}
        {found.isError && <Failed error={found.error} onRetry={() => found.refetch()} />}
        {found.data?.problems.map((problem) => (
          <Alert key={problem.store} color="yellow" mb="xs">
            {problem.message}
          </Alert>
        ))}
        {nothing && unanswered && (
          <Empty
            title="Not every store answered"
            action={<Button onClick={() => found.refetch()}>Ask again</Button>}
          />
        )}
        {nothing && !unanswered && (
          <Empty title="Nothing found">
            Check the spelling, or another storefront: an app need not be sold everywhere. A link, an id or a
            package name always finds the one app it names.
          </Empty>
        )}
      </div>
      <Stack gap="xs">
        {found.data?.apps.map((app) => (
          <Card
            key={`${app.store}/${app.appId}`}
            withBorder
            padding="sm"
            component="article"
            aria-label={app.name}
          >
            <Group justify="space-between">
              <Group wrap="nowrap" style={{ minWidth: 0, flex: '1 1 240px' }}>
                <AppIcon name={app.name} iconUrl={app.iconUrl} />
                <Stack gap={0} style={{ minWidth: 0 }}>
                  <Text fw={600} truncate="end">
                    {app.name}
                  </Text>
                  <Text size="sm" c="dimmed" truncate="end">
                    {app.developer ?? app.appId}
                  </Text>
                </Stack>
              </Group>
              <Group gap="sm">
                {app.rating !== null && <AggregateRating rating={app.rating} count={app.ratingCount} />}
                <StoreBadge store={app.store} />
                <Button size="xs" onClick={() => setChosen(app)}>
                  Watch
                </Button>
              </Group>
            </Group>
          </Card>
        ))}
      </Stack>
      {chosen !== null && <FollowModal app={chosen} first={storefront} onClose={() => setChosen(null)} />}
    </>
  )
}

function FollowModal(props: {
  readonly app: FoundApp
  readonly first: Storefront
  readonly onClose: () => void
}) {
  const { app } = props
  const [storefronts, setStorefronts] = useState<Storefront[]>([props.first])
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const watch = useMutation({
    mutationFn: () => follow({ store: app.store, appId: app.appId, storefronts }),
    onSuccess: async () => {
      tellDone(`${app.name} is being watched. The first reviews arrive in a moment.`)
      await queryClient.invalidateQueries({ queryKey: ['apps'] })
      await navigate({ to: paths.app(app.store, app.appId) })
    },
  })
  return (
    <Modal opened onClose={props.onClose} title={`Watch ${app.name}`} size="lg">
      <Stack>
        <FormProblem error={watch.error} />
        <StorefrontPicker value={storefronts} onChange={setStorefronts} />
        <Text size="sm" c="dimmed">
          Watching shows reviews and ratings here. To have them sent somewhere,{' '}
          <Anchor component={Link} to={paths.newDestination()} size="sm" underline="always">
            add a destination
          </Anchor>{' '}
          afterwards.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            disabled={storefronts.length === 0}
            loading={watch.isPending}
            onClick={() => watch.mutate()}
          >
            Watch {counted(storefronts.length, 'storefront')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
