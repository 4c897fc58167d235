import { Checkbox, Group, Input, MultiSelect, RangeSlider } from '@mantine/core'
import { STARS } from '../../src/model/hook-limits.ts'
import { SENTIMENTS, SEVERITIES, THEMES } from '../../src/model/vocabulary.ts'
import { commonTexts } from '../messages/common.ts'
import { ruleTexts } from '../messages/subscriptions.ts'
import { LANGUAGE_OPTIONS, SENTIMENT_OPTIONS, SEVERITY_OPTIONS, THEME_OPTIONS } from '../util/options.ts'
import type { FieldsProps } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'
import { TextRules } from './TextRules.tsx'

const STAR_MARKS = [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value} ★` }))

/** Which reviews a subscription sends. */
export function ReviewRules({
  value: subscription,
  set,
  problems,
}: FieldsProps<Subscription, SubscriptionField>) {
  return (
    <>
      <StarsField value={subscription} set={set} problems={problems} />
      <Group grow align="flex-start">
        <MultiSelect
          label={ruleTexts.themes}
          placeholder={commonTexts.any}
          data={THEME_OPTIONS}
          searchable
          clearable
          value={[...(subscription.themes ?? [])]}
          onChange={(value) => set({ themes: THEMES.filter((theme) => value.includes(theme)) })}
        />
        <MultiSelect
          label={ruleTexts.sentiment}
          placeholder={commonTexts.any}
          data={SENTIMENT_OPTIONS}
          clearable
          value={[...(subscription.sentiments ?? [])]}
          onChange={(value) => set({ sentiments: SENTIMENTS.filter((one) => value.includes(one)) })}
        />
      </Group>
      <Group grow align="flex-start">
        <MultiSelect
          label={ruleTexts.severity}
          placeholder={commonTexts.any}
          data={SEVERITY_OPTIONS}
          clearable
          value={[...(subscription.severities ?? [])]}
          onChange={(value) => set({ severities: SEVERITIES.filter((one) => value.includes(one)) })}
        />
        <MultiSelect
          label={ruleTexts.language}
          placeholder={commonTexts.any}
          data={LANGUAGE_OPTIONS}
          searchable
          clearable
          value={[...(subscription.languages ?? [])]}
          onChange={(languages) => set({ languages })}
          error={problems.at('languages')}
        />
      </Group>
      <TextRules value={subscription} set={set} problems={problems} />
      <Group>
        <Checkbox
          label={ruleTexts.bugReportsOnly}
          checked={subscription.is_bug_report === true}
          onChange={(event) => set({ is_bug_report: event.currentTarget.checked || null })}
        />
        <Checkbox
          label={ruleTexts.featureRequestsOnly}
          checked={subscription.is_feature_request === true}
          onChange={(event) => set({ is_feature_request: event.currentTarget.checked || null })}
        />
        <Checkbox
          label={ruleTexts.competitorMentioned}
          checked={subscription.mentions_competitor === true}
          onChange={(event) => set({ mentions_competitor: event.currentTarget.checked || null })}
        />
      </Group>
    </>
  )
}

function StarsField({ value: subscription, set, problems }: FieldsProps<Subscription, SubscriptionField>) {
  const problem = problems.at('min_stars') ?? problems.at('max_stars')
  return (
    <div>
      <Input.Label labelElement="div">{ruleTexts.stars}</Input.Label>
      <RangeSlider
        min={STARS.min}
        max={STARS.max}
        minRange={0}
        step={1}
        marks={STAR_MARKS}
        value={[subscription.min_stars ?? STARS.min, subscription.max_stars ?? STARS.max]}
        onChange={([min_stars, max_stars]) => set({ min_stars, max_stars })}
        // The marks show the values; a bubble would cover the field's label.
        label={null}
        thumbFromLabel={ruleTexts.minStars}
        thumbToLabel={ruleTexts.maxStars}
        mb="xl"
        mx="sm"
      />
      <Input.Error>{problem}</Input.Error>
    </div>
  )
}
