import {
  Alert,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  RangeSlider,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { WatchBody } from '../../src/contract/console/destinations.ts'
import { SENTIMENTS, SEVERITIES, STOREFRONTS, THEMES } from '../../src/model/vocabulary.ts'
import { AppSelect } from '../components/AppSelect.tsx'
import { previewQuery } from '../data/destinations.ts'
import { LANGUAGE_OPTIONS, optionsOf, STOREFRONT_OPTIONS } from '../util/options.ts'

const STAR_MARKS = [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value} ★` }))

export const NEW_WATCH: WatchBody = {
  store: 'apple',
  appId: '',
  eventType: 'review.created',
  minStars: 1,
  maxStars: 5,
}

/** Which events a destination gets; under the fields a sentence says in words what they will send. */
export function WatchFields({
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
        aria-label="What to send"
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
        placeholder="One of your apps"
        withAsterisk
        app={watch.appId === '' ? null : watch}
        onChoose={(app) => set(app ?? { appId: '' })}
        nothingFoundMessage="Add the app first, under Apps"
      />
      <Select
        label="Storefront"
        data={STOREFRONT_OPTIONS}
        value={watch.storefront ?? null}
        onChange={(value) => set({ storefront: STOREFRONTS.find((code) => code === value) ?? null })}
        placeholder="Every storefront watched for this app"
        clearable
        searchable
      />
      {watch.eventType === 'review.created' ? (
        <ReviewRules watch={watch} set={set} />
      ) : (
        <RatingRules watch={watch} set={set} />
      )}
      <Preview watch={watch} />
    </Stack>
  )
}

type Part = { readonly watch: WatchBody; readonly set: (change: Partial<WatchBody>) => void }

function ReviewRules({ watch, set }: Part) {
  const rules = watch.rules ?? {}
  const setRules = (change: Partial<NonNullable<WatchBody['rules']>>) => {
    const next = Object.fromEntries(
      Object.entries({ ...rules, ...change }).filter(
        ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
      ),
    )
    set({ rules: Object.keys(next).length === 0 ? null : next })
  }
  return (
    <>
      <div>
        <Text size="sm" fw={500}>
          Stars
        </Text>
        <RangeSlider
          min={1}
          max={5}
          minRange={0}
          step={1}
          marks={STAR_MARKS}
          value={[watch.minStars, watch.maxStars]}
          onChange={([minStars, maxStars]) => set({ minStars, maxStars })}
          label={(value) => `${value} ★`}
          thumbFromLabel="Fewest stars"
          thumbToLabel="Most stars"
          mb="xl"
          mx="sm"
        />
      </div>
      <Group grow align="flex-start">
        <MultiSelect
          label="Themes"
          placeholder="Any"
          data={optionsOf(THEMES)}
          searchable
          clearable
          value={[...(rules.themes ?? [])]}
          onChange={(value) => setRules({ themes: THEMES.filter((theme) => value.includes(theme)) })}
        />
        <MultiSelect
          label="Sentiment"
          placeholder="Any"
          data={[...SENTIMENTS]}
          clearable
          value={[...(rules.sentiments ?? [])]}
          onChange={(value) => setRules({ sentiments: SENTIMENTS.filter((one) => value.includes(one)) })}
        />
      </Group>
      <Group grow align="flex-start">
        <MultiSelect
          label="Severity"
          placeholder="Any"
          data={[...SEVERITIES]}
          clearable
          value={[...(rules.severities ?? [])]}
          onChange={(value) => setRules({ severities: SEVERITIES.filter((one) => value.includes(one)) })}
        />
        <MultiSelect
          label="Language"
          placeholder="Any"
          data={LANGUAGE_OPTIONS}
          searchable
          clearable
          value={[...(rules.languages ?? [])]}
          onChange={(languages) => setRules({ languages })}
        />
      </Group>
      <Group>
        <Checkbox
          label="Only bug reports"
          checked={rules.isBugReport === true}
          onChange={(event) => setRules({ isBugReport: event.currentTarget.checked || undefined })}
        />
        <Checkbox
          label="Only feature requests"
          checked={rules.isFeatureRequest === true}
          onChange={(event) => setRules({ isFeatureRequest: event.currentTarget.checked || undefined })}
        />
      </Group>
    </>
  )
}

function RatingRules({ watch, set }: Part) {
  const number = (value: number | string) => (value === '' ? null : Number(value))
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Falls by at least"
        description="From one look to the next; 0 means any fall"
        placeholder="0.1"
        min={0}
        max={4}
        step={0.1}
        decimalScale={6}
        value={watch.delta ?? ''}
        onChange={(value) => set({ delta: number(value) })}
      />
      <NumberInput
        label="Falls below"
        description="Crosses this from above"
        placeholder="4.5"
        min={1}
        max={5}
        step={0.1}
        decimalScale={6}
        value={watch.threshold ?? ''}
        onChange={(value) => set({ threshold: number(value) })}
      />
    </Group>
  )
}

/** The rule in words, and what it would have done with the last reviews. */
function Preview({ watch }: { readonly watch: WatchBody }) {
  const complete =
    watch.appId !== '' &&
    (watch.eventType === 'review.created' || watch.delta != null || watch.threshold != null)
  const preview = useQuery(previewQuery(complete ? watch : null))
  if (!complete) {
    return (
      <Alert variant="light" color="gray">
        {watch.appId === '' ? 'Choose an app.' : 'Say by how much the rating has to fall, or below what.'}
      </Alert>
    )
  }
  if (preview.data === undefined)
    return preview.isError ? <Alert color="red">{preview.error.message}</Alert> : null
  return (
    <Alert variant="light" aria-live="polite">
      <Text size="sm" fw={500}>
        {preview.data.sentence}
      </Text>
      {watch.eventType === 'review.created' && preview.data.looked > 0 && (
        <Text size="sm">
          Of the last {preview.data.looked} reviews it would have sent {preview.data.matched}. It looks
          forward: only reviews from now on are sent.
        </Text>
      )}
    </Alert>
  )
}
