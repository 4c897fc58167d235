import { MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasRatingRule, STOREFRONTS } from '../../src/model/vocabulary.ts'
import { lacksRatingRule } from '../../src/model/watch-filter.ts'
import { previewQuery } from '../data/destinations.ts'
import { previewTexts, subscriptionTexts } from '../messages/subscriptions.ts'
import { STOREFRONT_OPTIONS } from '../util/options.ts'
import { AppsField } from './AppsField.tsx'
import { EventTypeField } from './EventTypeField.tsx'
import { type FieldProblems, useProblems } from './problems.ts'
import { RatingRules } from './RatingRules.tsx'
import { ReviewRules } from './ReviewRules.tsx'
import { SpikeRules } from './SpikeRules.tsx'
import { SubscriptionPreview } from './SubscriptionPreview.tsx'
import {
  bodyOf,
  REFUSABLE_FILTERS,
  SUBSCRIPTION_FIELDS,
  type Subscription,
  type SubscriptionField,
} from './subscription.ts'

/** The rules of a subscription, with a summary sentence below. */
export function SubscriptionFields({
  subscription,
  onChange,
  error,
}: {
  readonly subscription: Subscription
  readonly onChange: (subscription: Subscription) => void
  /** The problems of the last attempt to save the subscription. */
  readonly error: Error | null
}) {
  const missing = missingOf(subscription)
  const preview = useQuery(previewQuery(missing === null ? bodyOf(subscription) : null))
  const ofSave = useProblems(error, SUBSCRIPTION_FIELDS)
  const ofPreview = useProblems(preview.error, SUBSCRIPTION_FIELDS)
  const problems: FieldProblems<SubscriptionField> = {
    at: (field) => {
      const problem = ofSave.at(field) ?? ofPreview.at(field)
      return problem !== null && missing?.field === field ? missing.text : problem
    },
    edited: (...fields) => {
      ofSave.edited(...fields)
      ofPreview.edited(...fields)
    },
  }
  const set = (change: Partial<Subscription>) => {
    problems.edited(...editedBy(change))
    onChange({ ...subscription, ...change })
  }
  return (
    <Stack>
      <EventTypeField value={subscription.event_type} onChange={(event_type) => set({ event_type })} />
      <AppsField value={subscription} set={set} problems={problems} />
      <MultiSelect
        label={subscriptionTexts.storefronts}
        data={STOREFRONT_OPTIONS}
        value={subscription.countries ?? []}
        onChange={(codes) => set({ countries: countriesOf(codes) })}
        placeholder={subscription.countries?.length ? undefined : subscriptionTexts.allStorefronts}
        clearable
        clearButtonProps={{ 'aria-label': subscriptionTexts.clearStorefronts }}
        searchable
        error={problems.at('countries')}
      />
      {subscription.event_type === 'review.created' && (
        <ReviewRules value={subscription} set={set} problems={problems} />
      )}
      {subscription.event_type === 'reviews.spiked' && (
        <SpikeRules value={subscription} set={set} problems={problems} />
      )}
      {hasRatingRule(subscription.event_type) && (
        <RatingRules value={subscription} set={set} problems={problems} />
      )}
      {(missing === null || problems.at(missing.field) === null) && (
        <SubscriptionPreview
          subscription={subscription}
          preview={preview}
          hint={missing?.text ?? null}
          isShown={ofPreview.beside !== null}
        />
      )}
    </Stack>
  )
}

/** The empty field that the subscription needs, and what to enter there. */
function missingOf({ scope, apps, event_type, delta, threshold }: Subscription) {
  if (scope === 'one' && apps.length === 0) return { field: 'app_id', text: previewTexts.appMissing } as const
  if (scope === 'several' && apps.length === 0)
    return { field: 'apps', text: previewTexts.appsMissing } as const
  if (lacksRatingRule({ eventType: event_type, delta, threshold }))
    return { field: 'delta', text: previewTexts.valueMissing } as const
  return null
}

/** Null for all tracked ones. */
function countriesOf(codes: readonly string[]): Subscription['countries'] {
  return codes.length === 0 ? null : STOREFRONTS.filter((code) => codes.includes(code))
}

/** The fields whose problems a change may solve. A new event type shows other fields. */
function editedBy(change: Partial<Subscription>): readonly SubscriptionField[] {
  if ('event_type' in change) return SUBSCRIPTION_FIELDS
  const fields = SUBSCRIPTION_FIELDS.filter((field) => field in change)
  if ('apps' in change || 'scope' in change) return [...fields, 'apps', 'app_id']
  if ('min_stars' in change || 'max_stars' in change) return [...fields, 'min_stars', 'max_stars']
  // A rating drop needs one of the two fields.
  if ('delta' in change || 'delta_window_hours' in change || 'threshold' in change) {
    return [...fields, 'delta', 'delta_window_hours', 'threshold']
  }
  return REFUSABLE_FILTERS.some((field) => field in change) || 'mentions_competitor' in change
    ? [...fields, ...REFUSABLE_FILTERS]
    : fields
}
