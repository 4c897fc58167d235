import { MultiSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { hasRatingRule, STOREFRONTS } from '../../src/model/vocabulary.ts'
import { previewQuery } from '../data/destinations.ts'
import { subscriptionTexts } from '../messages/subscriptions.ts'
import { STOREFRONT_OPTIONS } from '../util/options.ts'
import { AppsField } from './AppsField.tsx'
import { EventTypeField } from './EventTypeField.tsx'
import { type FieldProblems, useProblems } from './problems.ts'
import { RatingRules } from './RatingRules.tsx'
import { ReviewRules } from './ReviewRules.tsx'
import { SpikeRules } from './SpikeRules.tsx'
import { isComplete, SubscriptionPreview } from './SubscriptionPreview.tsx'
import {
  bodyOf,
  REVIEW_FILTER_FIELDS,
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
  const preview = useQuery(previewQuery(isComplete(subscription) ? bodyOf(subscription) : null))
  const ofSave = useProblems(error, SUBSCRIPTION_FIELDS)
  const ofPreview = useProblems(preview.error, SUBSCRIPTION_FIELDS)
  const problems: FieldProblems<SubscriptionField> = {
    at: (field) => ofSave.at(field) ?? ofPreview.at(field),
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
      <EventTypeField value={subscription.eventType} onChange={(eventType) => set({ eventType })} />
      <AppsField value={subscription} set={set} problems={problems} />
      <MultiSelect
        label={subscriptionTexts.storefronts}
        data={STOREFRONT_OPTIONS}
        value={subscription.storefronts ?? []}
        onChange={(codes) => set({ storefronts: storefrontsOf(codes) })}
        placeholder={subscription.storefronts?.length ? undefined : subscriptionTexts.allStorefronts}
        clearable
        clearButtonProps={{ 'aria-label': subscriptionTexts.clearStorefronts }}
        searchable
        error={problems.at('storefronts')}
      />
      {subscription.eventType === 'review.created' && (
        <ReviewRules value={subscription} set={set} problems={problems} />
      )}
      {subscription.eventType === 'reviews.spiked' && (
        <SpikeRules value={subscription} set={set} problems={problems} />
      )}
      {hasRatingRule(subscription.eventType) && (
        <RatingRules value={subscription} set={set} problems={problems} />
      )}
      <SubscriptionPreview
        subscription={subscription}
        preview={preview}
        isShown={ofPreview.beside !== null}
      />
    </Stack>
  )
}

/** Null for all tracked ones. */
function storefrontsOf(codes: readonly string[]): Subscription['storefronts'] {
  return codes.length === 0 ? null : STOREFRONTS.filter((code) => codes.includes(code))
}

/** The fields whose problems a change may solve. A new event type shows other fields. */
function editedBy(change: Partial<Subscription>): readonly SubscriptionField[] {
  if ('eventType' in change) return SUBSCRIPTION_FIELDS
  const fields = SUBSCRIPTION_FIELDS.filter((field) => field in change)
  if ('apps' in change || 'scope' in change) return [...fields, 'apps', 'appId']
  if ('minStars' in change || 'maxStars' in change) return [...fields, 'minStars', 'maxStars']
  // A rating drop needs one of the two fields.
  if ('delta' in change || 'deltaWindowHours' in change || 'threshold' in change) {
    return [...fields, 'delta', 'deltaWindowHours', 'threshold']
  }
  return 'rules' in change ? [...fields, ...REVIEW_FILTER_FIELDS] : fields
}
