import { Button, Group, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../../data/apps.ts'
import { compareLink } from '../../data/compare-link.ts'
import { comparePresetTexts } from '../../messages/compare.ts'
import { ButtonLink, MenuLink } from '../../ui/links.tsx'
import { appGroups } from '../../util/app-groups.ts'
import { type Listing, lastPeriods, lastVersions, sideBySide } from '../../util/comparison.ts'

/** Opens comparisons of an app: its last two versions at once, others in a menu. `days`: those that its page shows. */
export function CompareButton({ app, days }: { readonly app: Listing; readonly days: number }) {
  const [opened, { open, close }] = useDisclosure(false)
  const { data: apps = [] } = useQuery({ ...appsQuery, enabled: opened })
  const listing = { store: app.store, app_id: app.app_id }
  const pair = appGroups(apps).find((group) => group.some((each) => isSame(each, app))) ?? []
  const listings = [listing, ...pair.filter((each) => !isSame(each, app))].map(({ store, app_id }) => ({
    store,
    app_id,
  }))
  return (
    <Group gap={0}>
      <ButtonLink
        variant="default"
        to="/compare"
        search={compareLink(lastVersions(listing))}
        style={{ borderStartEndRadius: 0, borderEndEndRadius: 0 }}
      >
        {comparePresetTexts.compareVersions}
      </ButtonLink>
      <Menu position="bottom-end" opened={opened} onOpen={open} onClose={close}>
        <Menu.Target>
          <Button
            variant="default"
            px={8}
            aria-label={comparePresetTexts.compareWith}
            title={comparePresetTexts.compareWith}
            style={{ borderStartStartRadius: 0, borderEndStartRadius: 0, borderInlineStart: 0 }}
          >
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{comparePresetTexts.compareWith}</Menu.Label>
          <MenuLink to="/compare" search={compareLink(lastPeriods([listing], days))}>
            {comparePresetTexts.period(days)}
          </MenuLink>
          {listings.length > 1 && (
            <MenuLink to="/compare" search={compareLink(sideBySide(listings, days))}>
              {comparePresetTexts.stores}
            </MenuLink>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

function isSame(a: Listing, b: Listing): boolean {
  return a.store === b.store && a.app_id === b.app_id
}
