import { Group, TagsInput } from '@mantine/core'
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
          label="Keywords"
          description="Words or phrases; one must occur"
          placeholder={rules.keywords?.length ? undefined : 'refund, cannot log in'}
          {...field('keywords')}
        />
        <TagsInput
          label="Excluded keywords"
          description="None of them may occur"
          {...field('excludedKeywords')}
        />
      </Group>
      <Group grow align="flex-start">
        <TagsInput label="Versions" description="4.2.1, or all of 4.2.*" {...field('appVersions')} />
        <TagsInput
          label="Competitors"
          description="The review must name one of them"
          {...field('competitors')}
        />
      </Group>
    </>
  )
}
