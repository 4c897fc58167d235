import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { AppPage } from '../../../src/contract/console/apps.ts'
import { StorefrontsModal } from '../../forms/StorefrontsModal.tsx'
import { appTexts } from '../../messages/app.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AppIcon } from '../AppIcon.tsx'
import { StoreBadge } from '../StoreBadge.tsx'

/** The app's name, store, developer and actions. */
export function AppHeader({ page }: { readonly page: AppPage }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <PageHeader
        title={page.name ?? page.appId}
        about={
          <Group gap="xs" component="span">
            <AppIcon name={page.name} iconUrl={page.iconUrl} size={28} />
            <StoreBadge store={page.store} />
            <span>{page.developer ?? page.appId}</span>
          </Group>
        }
        actions={
          <>
            <ButtonLink variant="default" to="/reviews" search={{ store: page.store, appId: page.appId }}>
              {appTexts.viewReviews}
            </ButtonLink>
            <Button onClick={open}>{appTexts.editStorefronts}</Button>
          </>
        }
      />
      {opened && <StorefrontsModal page={page} onClose={close} />}
    </>
  )
}
