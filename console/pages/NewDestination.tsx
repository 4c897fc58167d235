import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { NewSecret } from '../components/NewSecret.tsx'
import { destinations } from '../data/destinations.ts'
import { DestinationTexts } from '../forms/DestinationTexts.tsx'
import { useProblems } from '../forms/problems.ts'
import { urlProblem } from '../forms/rules.ts'
import { SubscriptionFields } from '../forms/SubscriptionFields.tsx'
import { bodyOf, NEW_SUBSCRIPTION, SUBSCRIPTION_FIELDS, type Subscription } from '../forms/subscription.ts'
import { FormProblem } from '../ui/FormProblem.tsx'
import { AnchorLink, ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

const FIELDS = ['targetUrl', 'name', 'description', ...SUBSCRIPTION_FIELDS] as const

/** Creates a destination with its first subscription, and shows its signing secret. */
export function NewDestination() {
  const [targetUrl, setTargetUrl] = useState('')
  const [texts, setTexts] = useState({ name: '', description: '' })
  const [touched, setTouched] = useState(false)
  const [watch, setWatch] = useState<Subscription>(NEW_SUBSCRIPTION)
  const queryClient = useQueryClient()
  const create = useMutation({
    mutationFn: () => destinations.create({ targetUrl: targetUrl.trim(), ...texts, ...bodyOf(watch) }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['destinations'] }),
  })
  const problems = useProblems(create.error, FIELDS)
  if (create.data !== undefined) {
    return (
      <>
        <PageHeader title="Destination added" />
        <NewSecret secret={create.data.secret} destinationId={create.data.id} />
      </>
    )
  }
  const problem = urlProblem(targetUrl.trim())
  return (
    <>
      <PageHeader title="Add a destination" about="A URL that gets a signed request for each event" />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTouched(true)
          if (problem === null) create.mutate()
        }}
      >
        <Stack maw={720}>
          <FormProblem error={problems.beside} />
          <Card withBorder>
            <TextInput
              label="URL"
              description="Gets a POST with JSON for each event"
              placeholder="https://example.com/radar"
              withAsterisk
              type="url"
              value={targetUrl}
              onChange={(event) => {
                problems.edited('targetUrl')
                setTargetUrl(event.currentTarget.value)
              }}
              onBlur={() => setTouched(targetUrl !== '')}
              error={touched ? (problem ?? problems.at('targetUrl')) : null}
              mb="md"
            />
            <Stack>
              <DestinationTexts texts={texts} onChange={setTexts} problems={problems} />
            </Stack>
          </Card>
          <Card withBorder>
            <SubscriptionFields watch={watch} onChange={setWatch} error={create.error} />
          </Card>
          <Text size="sm" c="dimmed">
            Is your app missing?{' '}
            <AnchorLink to="/apps/add" size="sm" underline="always">
              Add it first
            </AnchorLink>
            .
          </Text>
          <Group>
            <Button type="submit" loading={create.isPending}>
              Add destination
            </Button>
            <ButtonLink variant="default" to="/destinations">
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </form>
    </>
  )
}
