import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { TrackedApp } from '../../../src/contract/v1/apps.ts'
import { StorefrontsModal } from '../../forms/StorefrontsModal.tsx'
import { appTexts } from '../../messages/app.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AppIcon } from '../AppIcon.tsx'
import { CompareButton } from '../compare/CompareButton.tsx'
import { MayChange } from '../MayChange.tsx'
import { StoreBadge } from '../StoreBadge.tsx'

/** The app's name, store, developer and actions. `days`: the range of the page. */
export function AppHeader({ app, days }: { readonly app: TrackedApp; readonly days: number }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <PageHeader
        title={app.name ?? app.app_id}
        about={
          <Group gap="xs" component="span">
            <AppIcon name={app.name} iconUrl={app.icon_url} size={28} />
            <StoreBadge store={app.store} />
            <span>{app.developer ?? app.app_id}</span>
          </Group>
        }
        actions={
          <>
            <ButtonLink variant="default" to="/reviews" search={{ store: app.store, app_id: app.app_id }}>
              {appTexts.viewReviews}
            </ButtonLink>
            <CompareButton app={app} days={days} />
            <MayChange>
              <Button onClick={open}>{appTexts.editStorefronts}</Button>
            </MayChange>
          </>
        }
      />
      {opened && <StorefrontsModal app={app} onClose={close} />}
    </>
  )
}
