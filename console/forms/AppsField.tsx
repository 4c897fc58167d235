import { Group, MultiSelect, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AppSelect, appOptions, parseAppKey } from '../components/AppSelect.tsx'
import { appsQuery } from '../data/apps.ts'
import { stateTexts } from '../messages/common.ts'
import { subscriptionTexts } from '../messages/subscriptions.ts'
import type { RuleFields, Subscription } from './subscription.ts'

const SCOPES: readonly { readonly value: Subscription['scope']; readonly label: string }[] = [
  { value: 'one', label: subscriptionTexts.oneApp },
  { value: 'several', label: subscriptionTexts.severalApps },
  { value: 'all', label: subscriptionTexts.allApps },
]

/** The apps of a subscription. */
export function AppsField({ watch, set, problems }: RuleFields) {
  const setScope = (value: string) => {
    const scope = SCOPES.find((each) => each.value === value)?.value ?? 'one'
    // A change to several apps keeps the selected app. A change to one app clears several.
    set({ scope, apps: scope === 'one' && watch.apps.length > 1 ? [] : watch.apps })
  }
  return (
    <Stack gap="xs">
      <Radio.Group label={subscriptionTexts.apps} value={watch.scope} onChange={setScope}>
        <Group mt={4} gap="lg">
          {SCOPES.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      {watch.scope === 'one' && (
        <AppSelect
          aria-label={subscriptionTexts.app}
          placeholder={subscriptionTexts.chooseApp}
          app={watch.apps[0] ?? null}
          onChoose={(app) => set({ apps: app === null ? [] : [app] })}
          nothingFoundMessage={subscriptionTexts.noSuchApp}
          error={problems.at('appId')}
        />
      )}
      {watch.scope === 'several' && <SeveralApps watch={watch} set={set} problems={problems} />}
      {watch.scope === 'all' && (
        <Text size="sm" c="dimmed">
          {subscriptionTexts.laterApps}
        </Text>
      )}
    </Stack>
  )
}

function SeveralApps({ watch, set, problems }: RuleFields) {
  const apps = useQuery(appsQuery)
  return (
    <MultiSelect
      aria-label={subscriptionTexts.apps}
      placeholder={watch.apps.length === 0 ? subscriptionTexts.chooseApps : undefined}
      data={appOptions(apps.data ?? [], watch.apps)}
      value={watch.apps.map(({ store, appId }) => `${store}/${appId}`)}
      onChange={(values) => set({ apps: values.map(parseAppKey).filter((app) => app !== null) })}
      error={problems.at('apps') ?? (apps.isError ? stateTexts.appsFailed : null)}
      nothingFoundMessage={subscriptionTexts.noSuchApp}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': subscriptionTexts.clearApps }}
    />
  )
}
