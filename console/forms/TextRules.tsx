import { Group, TagsInput } from '@mantine/core'
import { ruleTexts } from '../messages/subscriptions.ts'
import type { FieldsProps } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'

type TextField = 'keywords' | 'excluded_keywords' | 'app_versions' | 'competitors'

/** Filters of reviews by texts that people enter. */
export function TextRules({
  value: subscription,
  set,
  problems,
}: FieldsProps<Subscription, SubscriptionField>) {
  const field = (name: TextField) => ({
    value: subscription[name] ?? [],
    onChange: (values: string[]) => set({ [name]: values }),
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
          placeholder={subscription.keywords?.length ? undefined : ruleTexts.keywordsPlaceholder}
          {...field('keywords')}
        />
        <TagsInput
          label={ruleTexts.excluded}
          description={ruleTexts.excludedNote}
          {...field('excluded_keywords')}
        />
      </Group>
      <Group grow align="flex-start">
        <TagsInput
          label={ruleTexts.versions}
          description={ruleTexts.versionsNote}
          {...field('app_versions')}
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
