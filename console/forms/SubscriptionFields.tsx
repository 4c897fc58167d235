import { SegmentedControl, Select, Stack } from '@mantine/core'
import type { WatchBody } from '../../src/contract/console/destinations.ts'
import { STOREFRONTS } from '../../src/model/vocabulary.ts'
import { AppSelect } from '../components/AppSelect.tsx'
import { STOREFRONT_OPTIONS } from '../util/options.ts'
import { RatingRules } from './RatingRules.tsx'
import { ReviewRules } from './ReviewRules.tsx'
import { SubscriptionPreview } from './SubscriptionPreview.tsx'

/** The rules of a subscription, with a summary sentence below. */
export function SubscriptionFields({
  watch,
  onChange,
}: {
  readonly watch: WatchBody
  readonly onChange: (watch: WatchBody) => void
}) {
  const set = (change: Partial<WatchBody>) => onChange({ ...watch, ...change })
  return (
    <Stack>
      <SegmentedControl
        aria-label="Event type"
        value={watch.eventType}
        onChange={(value) =>
          set({ eventType: value === 'rating.dropped' ? 'rating.dropped' : 'review.created' })
        }
        data={[
          { value: 'review.created', label: 'New reviews' },
          { value: 'rating.dropped', label: 'Rating drops' },
        ]}
      />
      <AppSelect
        label="App"
        placeholder="Choose an app"
        withAsterisk
        app={watch.appId === '' ? null : watch}
        onChoose={(app) => set(app ?? { appId: '' })}
        nothingFoundMessage="No such app. Add it under Apps first."
      />
      <Select
        label="Storefront"
        data={STOREFRONT_OPTIONS}
        value={watch.storefront ?? null}
        onChange={(value) => set({ storefront: STOREFRONTS.find((code) => code === value) ?? null })}
        placeholder="All tracked storefronts"
        clearable
        searchable
      />
      {watch.eventType === 'review.created' ? (
        <ReviewRules watch={watch} set={set} />
      ) : (
        <RatingRules watch={watch} set={set} />
      )}
      <SubscriptionPreview watch={watch} />
    </Stack>
  )
}
