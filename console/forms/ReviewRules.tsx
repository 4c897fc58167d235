import { Checkbox, Group, Input, MultiSelect, RangeSlider } from '@mantine/core'
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
  const rules = subscription.rules ?? {}
  const setRules = (change: Partial<NonNullable<Subscription['rules']>>) => {
    const next = Object.fromEntries(
      Object.entries({ ...rules, ...change }).filter(
        ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
      ),
    )
    set({ rules: Object.keys(next).length === 0 ? null : next })
  }
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
          value={[...(rules.themes ?? [])]}
          onChange={(value) => setRules({ themes: THEMES.filter((theme) => value.includes(theme)) })}
        />
        <MultiSelect
          label={ruleTexts.sentiment}
          placeholder={commonTexts.any}
          data={SENTIMENT_OPTIONS}
          clearable
          value={[...(rules.sentiments ?? [])]}
          onChange={(value) => setRules({ sentiments: SENTIMENTS.filter((one) => value.includes(one)) })}
        />
      </Group>
      <Group grow align="flex-start">
        <MultiSelect
          label={ruleTexts.severity}
          placeholder={commonTexts.any}
          data={SEVERITY_OPTIONS}
          clearable
          value={[...(rules.severities ?? [])]}
          onChange={(value) => setRules({ severities: SEVERITIES.filter((one) => value.includes(one)) })}
        />
        <MultiSelect
          label={ruleTexts.language}
          placeholder={commonTexts.any}
          data={LANGUAGE_OPTIONS}
          searchable
          clearable
          value={[...(rules.languages ?? [])]}
          onChange={(languages) => setRules({ languages })}
          error={problems.at('languages')}
        />
      </Group>
      <TextRules rules={rules} setRules={setRules} problems={problems} />
      <Group>
        <Checkbox
          label={ruleTexts.bugReportsOnly}
          checked={rules.isBugReport === true}
          onChange={(event) => setRules({ isBugReport: event.currentTarget.checked || undefined })}
        />
        <Checkbox
          label={ruleTexts.featureRequestsOnly}
          checked={rules.isFeatureRequest === true}
          onChange={(event) => setRules({ isFeatureRequest: event.currentTarget.checked || undefined })}
        />
        <Checkbox
          label={ruleTexts.competitorMentioned}
          checked={rules.mentionsCompetitor === true}
          onChange={(event) => setRules({ mentionsCompetitor: event.currentTarget.checked || undefined })}
        />
      </Group>
    </>
  )
}

function StarsField({ value: subscription, set, problems }: FieldsProps<Subscription, SubscriptionField>) {
  const problem = problems.at('minStars') ?? problems.at('maxStars')
  return (
    <div>
      <Input.Label labelElement="div">{ruleTexts.stars}</Input.Label>
      <RangeSlider
        min={1}
        max={5}
        minRange={0}
        step={1}
        marks={STAR_MARKS}
        value={[subscription.minStars, subscription.maxStars]}
        onChange={([minStars, maxStars]) => set({ minStars, maxStars })}
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
