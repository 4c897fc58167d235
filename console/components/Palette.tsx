import { commandTexts } from '../messages/shell.ts'
import '@mantine/spotlight/styles.css'
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import { appsQuery } from '../data/apps.ts'
import { viewsQuery } from '../data/views.ts'

/** A command that opens a page. */
export type PageLink = {
  readonly label: string
  readonly to:
    | '/'
    | '/apps'
    | '/reviews'
    | '/inbox'
    | '/destinations'
    | '/deliveries'
    | '/dead-letters'
    | '/account'
    | '/status'
    | '/system'
}

/** The command palette: pages, common actions, apps and saved views. Opens when `opened` increases. */
export function Palette({ opened, pages }: { readonly opened: number; readonly pages: readonly PageLink[] }) {
  const navigate = useNavigate()
  const apps = useQuery(appsQuery)
  const saved = useQuery(viewsQuery).data ?? []
  useEffect(() => {
    if (opened > 0) spotlight.open()
  }, [opened])
  const groups: SpotlightActionGroupData[] = [
    {
      group: commandTexts.pages,
      actions: pages.map(({ label, to }) => ({ id: to, label, onClick: () => void navigate({ to }) })),
    },
    {
      group: commandTexts.actions,
      actions: [
        { id: 'add-app', label: commandTexts.addApp, onClick: () => void navigate({ to: '/apps/add' }) },
        {
          id: 'add-destination',
          label: commandTexts.addDestination,
          onClick: () => void navigate({ to: '/destinations/new' }),
        },
      ],
    },
    {
      group: commandTexts.apps,
      actions: (apps.data ?? []).map(({ store, app_id: appId, name }) => ({
        id: `app/${store}/${appId}`,
        label: name ?? appId,
        description: STORE_NAMES[store],
        onClick: () => void navigate({ to: '/apps/$store/$appId', params: { store, appId } }),
      })),
    },
    {
      group: commandTexts.views,
      actions: saved.map(({ name, filters }) => ({
        id: `view/${name}`,
        label: name,
        onClick: () => void navigate({ to: '/reviews', search: filters }),
      })),
    },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      shortcut={null}
      // Mantine's own opacity leaves the description of a selected command below 4.5:1.
      styles={{ actionDescription: { opacity: 1 } }}
      attributes={{ content: { 'aria-label': commandTexts.goTo } }}
      nothingFound={commandTexts.nothingFound}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: commandTexts.goToField,
        'aria-label': commandTexts.goTo,
      }}
    />
  )
}
