import { Button, Group, NumberInput, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DestinationPage } from '../../src/contract/console/destinations.ts'
import { destinations, useDestinationChanged } from '../data/destinations.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { Section } from '../ui/Section.tsx'
import { urlProblem } from './rules.ts'

/** The URL and the rate limit of a destination. */
export function AddressForm({ page }: { readonly page: DestinationPage }) {
  const [targetUrl, setTargetUrl] = useState(page.targetUrl)
  const [rate, setRate] = useState<number | string>(page.ratePerSecond ?? '')
  const refresh = useDestinationChanged(page.id)
  const save = useMutation({
    mutationFn: () =>
      destinations.change(page.id, {
        targetUrl: targetUrl.trim(),
        ratePerSecond: rate === '' ? null : Number(rate),
      }),
    onSuccess: async () => {
      notifyDone('Settings saved. They apply to the next attempt.')
      await refresh()
    },
  })
  const problem = urlProblem(targetUrl.trim())
  return (
    <Section title="Settings">
      <FormProblem error={save.error} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === null) save.mutate()
        }}
      >
        <Group align="flex-start">
          <TextInput
            label="URL"
            value={targetUrl}
            onChange={(event) => setTargetUrl(event.currentTarget.value)}
            error={problem}
            style={{ flex: '1 1 320px' }}
          />
          <NumberInput
            label="Max. requests per second"
            placeholder="No limit"
            min={0.1}
            max={1000}
            value={rate}
            onChange={setRate}
            w={220}
          />
          <Button type="submit" mt={24} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Section>
  )
}
