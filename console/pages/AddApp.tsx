import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FoundApp } from '../../src/contract/v1/apps.ts'
import { STOREFRONTS, type Storefront } from '../../src/model/vocabulary.ts'
import { FoundAppGroup } from '../components/app/FoundAppGroup.tsx'
import { MayChange, MembersOnly, useMayChange } from '../components/MayChange.tsx'
import { findQuery } from '../data/apps.ts'
import { useProblems } from '../forms/problems.ts'
import { TrackAppModal } from '../forms/TrackAppModal.tsx'
import { addAppTexts } from '../messages/apps.tsx'
import { commonTexts } from '../messages/common.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Empty, Failed, LoadingLines } from '../ui/States.tsx'
import { appGroups } from '../util/app-groups.ts'
import { STOREFRONT_OPTIONS } from '../util/options.ts'

/** A search starts once typing pauses this long: each one counts against the stores' rate limits. */
const TYPING_PAUSE_MS = 500

/** Finds an app by its name, store link, ID or package name. */
export function AddApp() {
  const mayChange = useMayChange()
  const [text, setText] = useState('')
  const [storefront, setStorefront] = useState<Storefront>('us')
  const [selected, setSelected] = useState<readonly FoundApp[] | null>(null)
  const [searched] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS)
  const found = useQuery(findQuery(searched, storefront))
  const problems = useProblems(found.error, ['q', 'country'])
  return (
    <>
      <PageHeader title={addAppTexts.title} {...(mayChange && { about: addAppTexts.about })} />
      <MayChange
        otherwise={
          <MembersOnly
            title={addAppTexts.viewerTitle}
            action={
              <ButtonLink to="/apps" variant="light">
                {addAppTexts.viewApps}
              </ButtonLink>
            }
          />
        }
      >
        <Group align="flex-end" mb="md">
          <TextInput
            label={addAppTexts.app}
            placeholder={addAppTexts.appPlaceholder}
            leftSection={<IconSearch size={16} aria-hidden />}
            autoFocus
            data-page-focus
            value={text}
            onChange={(event) => {
              problems.edited('q')
              setText(event.currentTarget.value)
            }}
            error={problems.at('q')}
            style={{ flex: '1 1 240px' }}
          />
          <Select
            label={commonTexts.storefront}
            data={STOREFRONT_OPTIONS}
            value={storefront}
            onChange={(value) => {
              problems.edited('country')
              setStorefront(STOREFRONTS.find((code) => code === value) ?? 'us')
            }}
            error={problems.at('country')}
            allowDeselect={false}
            w={180}
          />
        </Group>
        <div aria-live="polite">
          {found.isFetching && <LoadingLines lines={3} />}
          {problems.beside !== null && <Failed error={problems.beside} onRetry={() => found.refetch()} />}
          {found.data?.problems.map((problem) => (
            <Alert key={problem.store} color="yellow" mb="xs">
              {problem.message}
            </Alert>
          ))}
          {found.data?.data.length === 0 && !found.isFetching && (
            <NothingFound complete={found.data.problems.length === 0} onRetry={() => found.refetch()} />
          )}
        </div>
        <Stack gap="xs">
          {appGroups(found.data?.data ?? []).map((apps) => (
            <FoundAppGroup key={`${apps[0]?.store}/${apps[0]?.app_id}`} apps={apps} onTrack={setSelected} />
          ))}
        </Stack>
        {selected !== null && (
          <TrackAppModal apps={selected} first={storefront} onClose={() => setSelected(null)} />
        )}
      </MayChange>
    </>
  )
}

/** No results: either no store has the app, or a store did not answer. */
function NothingFound({ complete, onRetry }: { readonly complete: boolean; readonly onRetry: () => void }) {
  return complete ? (
    <Empty title={addAppTexts.noneTitle}>{addAppTexts.noneNote}</Empty>
  ) : (
    <Empty
      title={addAppTexts.failedTitle}
      action={<Button onClick={onRetry}>{addAppTexts.searchAgain}</Button>}
    />
  )
}
