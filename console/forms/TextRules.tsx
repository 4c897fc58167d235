import { Group, TagsInput } from '@mantine/core'
import { ruleTexts } from '../messages/subscriptions.ts'
import type { FieldProblems } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'

type Rules = NonNullable<Subscription['rules']>
type TextField = 'keywords' | 'excludedKeywords' | 'appVersions' | 'competitors'

/** Filters of reviews by texts that people enter. */
export function TextRules({
  rules,
  setRules,
  problems,
}: {
  readonly rules: Rules
  readonly setRules: (change: Partial<Rules>) => void
  readonly problems: FieldProblems<SubscriptionField>
}) {
  const field = (name: TextField) => ({
    value: rules[name] ?? [],
    onChange: (values: string[]) => setRules({ [name]: values }),
    error: problems.at(name),
    // Text that was not confirmed with Enter counts too.
    acceptValueOnBlur: true,
    splitChars: [','],
    clearable: true,
  })
  return (
    <>
      <Group grow align="flex-start">
        <TagsInput
          label={ruleTexts.keywords}
          description={ruleTexts.keywordsNote}
          placeholder={rules.keywords?.length ? undefined : ruleTexts.keywordsPlaceholder}
          {...field('keywords')}
        />
        <TagsInput
          label={ruleTexts.excluded}
          description={ruleTexts.excludedNote}
          {...field('excludedKeywords')}
        />
      </Group>
      <Group grow align="flex-start">
        <TagsInput
          label={ruleTexts.versions}
          description={ruleTexts.versionsNote}
          {...field('appVersions')}
        />
        <TagsInput
          label={ruleTexts.competitors}
          description={ruleTexts.competitorsNote}
          {...field('competitors')}
        />
      </Group>
    </>
  )
}
