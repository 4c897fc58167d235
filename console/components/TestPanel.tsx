import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { EVENT_TYPES } from '../../src/model/vocabulary.ts'
import { destinations } from '../data/destinations.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { AttemptDetail } from './AttemptDetail.tsx'
import { ForeignJson } from './ForeignJson.tsx'

/** Sends a signed sample now and shows the whole exchange. */
export function TestPanel({ page }: { readonly page: DestinationPage }) {
  const [eventType, setEventType] = useState<string>(page.watches[0]?.eventType ?? 'review.created')
  const queryClient = useQueryClient()
  const test = useMutation({
    mutationFn: () => destinations.test(page.id, eventType),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['destination', page.id] })
      // It may have been the first event that arrived.
      await queryClient.invalidateQueries({ queryKey: ['overview'] })
    },
  })
  const shown = test.data?.attempt ?? page.tests[0]
  return (
    <Section title="Test">
      <Stack>
        <Group align="flex-end">
          <Select
            label="Send a sample of"
            data={[...EVENT_TYPES]}
            value={eventType}
            onChange={(value) => setEventType(value ?? 'review.created')}
            allowDeselect={false}
            style={{ flex: '1 1 180px' }}
          />
          <Button onClick={() => test.mutate()} loading={test.isPending}>
            Send now
          </Button>
        </Group>
        <div aria-live="polite">
          <FormProblem error={test.error} />
          {shown === undefined ? (
            <Text size="sm" c="dimmed">
              A test is signed like a real event. Its ids are made up, and it is not repeated when it fails.
            </Text>
          ) : (
            <AttemptDetail attempt={shown} />
          )}
        </div>
        {test.data !== undefined && <ForeignJson text={test.data.body} label="What was sent" />}
      </Stack>
    </Section>
  )
}
