import { Group, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { appsQuery } from '../data/apps.ts'
import { stateTexts } from '../messages/common.ts'
import { subscriptionTexts } from '../messages/subscriptions.ts'
import { AppSelect, appOptions, keyOf, parseAppKey } from './AppSelect.tsx'
import type { FieldsProps } from './problems.ts'
import type { Subscription, SubscriptionField } from './subscription.ts'

const SCOPES: readonly { readonly value: Subscription['scope']; readonly label: string }[] = [
  { value: 'one', label: subscriptionTexts.oneApp },
  { value: 'several', label: subscriptionTexts.severalApps },
  { value: 'all', label: subscriptionTexts.allApps },
]

/** The apps of a subscription. */
export function AppsField({
  value: subscription,
  set,
  problems,
}: FieldsProps<Subscription, SubscriptionField>) {
  const setScope = (value: string) => {
    const scope = SCOPES.find((each) => each.value === value)?.value ?? 'one'
    // A change to several apps keeps the selected app. A change to one app clears several.
    set({ scope, apps: scope === 'one' && subscription.apps.length > 1 ? [] : subscription.apps })
  }
  return (
    <Stack gap="xs">
      <Radio.Group label={subscriptionTexts.apps} value={subscription.scope} onChange={setScope}>
        <Group mt={4} gap="lg">
          {SCOPES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {subscription.scope === 'one' && (
        <AppSelect
          aria-label={subscriptionTexts.app}
          placeholder={subscriptionTexts.chooseApp}
          app={subscription.apps[0] ?? null}
          onChoose={(app) => set({ apps: app === null ? [] : [app] })}
          nothingFoundMessage={subscriptionTexts.noSuchApp}
          error={problems.at('app_id')}
        />
      )}
      {subscription.scope === 'several' && <SeveralApps value={subscription} set={set} problems={problems} />}
      {subscription.scope === 'all' && (
        <Text size="sm" c="dimmed">
          {subscriptionTexts.laterApps}
        </Text>
      )}
    </Stack>
  )
}

function SeveralApps({ value: subscription, set, problems }: FieldsProps<Subscription, SubscriptionField>) {
  const apps = useQuery(appsQuery)
  return (
    <MultiSelect
      aria-label={subscriptionTexts.apps}
      placeholder={subscription.apps.length === 0 ? subscriptionTexts.chooseApps : undefined}
      data={appOptions(apps.data ?? [], subscription.apps)}
      value={subscription.apps.map(keyOf)}
      onChange={(values) => set({ apps: values.map(parseAppKey).filter((app) => app !== null) })}
      error={problems.at('apps') ?? (apps.isError ? stateTexts.appsFailed : null)}
      nothingFoundMessage={subscriptionTexts.noSuchApp}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': subscriptionTexts.clearApps }}
    />
  )
}
