import type { AppPage } from '../../../src/contract/console/apps.ts'
import { appFeedTexts } from '../../messages/app.ts'
import { Section } from '../../ui/Section.tsx'
import { FeedTable } from './FeedTable.tsx'

/** The feeds of an app, under a summary of their health. */
export function Feeds({ page }: { readonly page: AppPage }) {
  const healthy = page.feeds.filter(({ health }) => health === 'well' || health === 'unrated').length
  const unhealthy = page.feeds.length - healthy
  return (
    <Section
      title={appFeedTexts.title}
      about={
        unhealthy === 0
          ? appFeedTexts.allHealthy(healthy)
          : appFeedTexts.someHealthy(healthy, page.feeds.length)
      }
    >
      <FeedTable page={page} />
    </Section>
  )
}
