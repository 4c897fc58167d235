import { commandTexts } from '../messages/shell.ts'
import '@mantine/spotlight/styles.css'
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { STORE_NAMES } from '../../src/contract/console/display-names.ts'
import { appsQuery } from '../data/apps.ts'
import { useSession } from '../data/session.ts'
import { viewsQuery } from '../data/views.ts'
import { useMayChange } from './MayChange.tsx'
import { usePaletteFinds } from './palette-finds.ts'

/** A command that opens a page. */
export type PageLink = {
  readonly label: string
  readonly to:
    | '/'
    | '/apps'
    | '/reviews'
    | '/compare'
    | '/inbox'
    | '/destinations'
    | '/deliveries'
    | '/dead-letters'
    | '/account'
    | '/status'
    | '/system'
}

/** Commands of a group shown at a time: a long list hides the groups below. */
const SHOWN_MAX = 8
/** What is found by other texts than its label, such as a review by its body. */
const ALREADY_FOUND: ReadonlySet<string> = new Set([commandTexts.events, commandTexts.reviews])

/** The command palette: pages, settings, apps, reviews, destinations and saved views. */
export function Palette({
  isOpen,
  onClose,
  pages,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly pages: readonly PageLink[]
}) {
  const navigate = useNavigate()
  const mayChange = useMayChange()
  const isOwner = useSession().role === 'owner'
  const apps = useQuery(appsQuery)
  const saved = useQuery(viewsQuery).data ?? []
  const [typed, setTyped] = useState('')
  const finds = usePaletteFinds(typed, isOpen)
  useEffect(() => {
    if (isOpen) spotlight.open()
    else spotlight.close()
  }, [isOpen])
  const groups: SpotlightActionGroupData[] = [
    {
      group: commandTexts.pages,
      actions: pages.map(({ label, to }) => ({ id: to, label, onClick: () => void navigate({ to }) })),
    },
    {
      group: commandTexts.actions,
      actions: !mayChange
        ? []
        : [
            { id: 'add-app', label: commandTexts.addApp, onClick: () => void navigate({ to: '/apps/add' }) },
            {
              id: 'add-destination',
              label: commandTexts.addDestination,
              onClick: () => void navigate({ to: '/destinations/new' }),
            },
          ],
    },
    {
      group: commandTexts.settings,
      actions: [
        ...SETTINGS.map(({ label, section }) => ({
          id: `setting/${label}`,
          label,
          onClick: () => void navigate({ to: '/account/$section', params: { section } }),
        })),
        ...SETTING_PAGES.filter(({ to }) => isOwner || to !== '/audit-log').map(({ label, to }) => ({
          id: to,
          label,
          onClick: () => void navigate({ to }),
        })),
      ],
    },
    ...finds,
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
      actions={groups
        .map(({ group = '', actions }) => ({
          group,
          actions: ALREADY_FOUND.has(group) ? actions : matching(actions, typed),
        }))
        .filter(({ actions }) => actions.length > 0)}
      filter={(_, actions) => actions}
      onSpotlightClose={onClose}
      query={typed}
      onQueryChange={setTyped}
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

/** Parts of the account's pages, by what people call them. */
const SETTINGS = [
  { label: commandTexts.members, section: 'members' },
  { label: commandTexts.tokens, section: 'tokens' },
  { label: commandTexts.alerts, section: 'alerts' },
  { label: commandTexts.password, section: 'sign-in' },
  { label: commandTexts.secondFactor, section: 'sign-in' },
  { label: commandTexts.sessions, section: 'sign-in' },
] as const
const SETTING_PAGES = [
  { label: commandTexts.stores, to: '/stores' },
  { label: commandTexts.auditLog, to: '/audit-log' },
] as const

/** The commands whose label or description has every typed word. */
function matching(actions: readonly SpotlightActionData[], typed: string): SpotlightActionData[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return actions
    .filter(({ label = '', description = '' }) => {
      const text = `${label} ${description}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .slice(0, SHOWN_MAX)
}
