import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { EVENT_TYPE_NAMES } from '../../src/contract/console/display-names.ts'
import { EVENT_TYPES } from '../../src/model/vocabulary.ts'
import { destinations } from '../data/destinations.ts'
import { commonTexts } from '../messages/common.ts'
import { testTexts } from '../messages/destinations.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { optionsOf } from '../util/options.ts'
import { subscriptionsOf } from '../util/subscriptions.ts'
import { AttemptDetail } from './AttemptDetail.tsx'
import { useMayChange } from './MayChange.tsx'
import { UntrustedJson } from './UntrustedJson.tsx'

/** Sends a test event and shows the request and the response. A viewer sees the last one. */
export function TestPanel({ page }: { readonly page: DestinationPage }) {
  const [eventType, setEventType] = useState<string>(subscriptionsOf(page)[0]?.event_type ?? 'review.created')
  const mayChange = useMayChange()
  const queryClient = useQueryClient()
  const test = useMutation({
    mutationFn: () => destinations.test(page.id, eventType),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['destination', page.id] })
      // The first delivered event, even a test, completes the guide on the overview.
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
    },
  })
  const isWebhook = page.targetType === 'webhook'
  const shown = test.data ?? page.tests[0]
  if (!mayChange && shown === undefined) return null
  return (
    <Section title={isWebhook ? testTexts.eventTitle : testTexts.messageTitle}>
      <Stack>
        {mayChange && (
          <Group align="flex-end">
            <Select
              label={commonTexts.eventType}
              data={optionsOf(EVENT_TYPES, EVENT_TYPE_NAMES)}
              value={eventType}
              onChange={(value) => setEventType(value ?? 'review.created')}
              allowDeselect={false}
              style={{ flex: '1 1 180px' }}
            />
            <Button onClick={() => test.mutate()} loading={test.isPending}>
              {testTexts.submit}
            </Button>
          </Group>
        )}
        <div aria-live="polite">
          <FormProblem error={test.error} />
          {shown === undefined ? (
            <Text size="sm" c="dimmed">
              {isWebhook ? testTexts.eventNote : testTexts.messageNote}
            </Text>
          ) : (
            <AttemptDetail attempt={shown} />
          )}
        </div>
        {test.data !== undefined && (
          <UntrustedJson
            text={test.data.request_body}
            label={isWebhook ? testTexts.requestBody : commonTexts.event}
          />
        )}
      </Stack>
    </Section>
  )
}
