import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { DestinationLine } from '../../../src/contract/console/destinations.ts'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { isInbox } from '../../../src/model/inbox.ts'
import { destinationsQuery } from '../../data/destinations.ts'
import { useOpenInbox } from '../../data/inbox.ts'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { AnchorLink, ButtonLink } from '../../ui/links.tsx'
import { TestButton } from '../inbox/TestButton.tsx'
import { Step } from './Step.tsx'

/** Guides a new account to its first event in three steps. Only the current step has a button. */
export function FirstSteps({ steps }: { readonly steps: Overview['steps'] }) {
  const destinations = useQuery(destinationsQuery)
  const { app, destination, delivered } = steps
  return (
    <Stack component="section" aria-label="Getting started" gap="sm">
      <Title order={2} size="h4">
        Three steps to your first event
      </Title>
      <Step number={1} title="Track an app" done={app} current={!app}>
        <Text size="sm">Find it by its name or by its link in the App Store or Google Play.</Text>
        <ButtonLink to="/apps/add">Find your app</ButtonLink>
      </Step>
      <Step number={2} title="Choose where events go" done={destination} current={app && !destination}>
        <TurnOnInbox />
      </Step>
      <Step number={3} title="See an event" done={delivered} current={app && destination && !delivered}>
        <SeeEvent first={destinations.data?.find(isInbox) ?? destinations.data?.[0]} />
      </Step>
    </Stack>
  )
}

function TurnOnInbox() {
  const open = useOpenInbox()
  return (
    <>
      <Text size="sm">
        The inbox shows new reviews and rating drops of your apps in this console, as the events that a
        webhook would get. To send them to your own program,{' '}
        <AnchorLink to="/destinations/new" size="sm" underline="always">
          add a destination
        </AnchorLink>{' '}
        instead.
      </Text>
      <FormProblem error={open.error} />
      <Button loading={open.isPending} onClick={() => open.mutate(null)}>
        Turn on the inbox
      </Button>
    </>
  )
}

function SeeEvent({ first }: { readonly first: DestinationLine | undefined }) {
  const navigate = useNavigate()
  if (first === undefined) return null
  const show = () =>
    isInbox(first)
      ? navigate({ to: '/inbox' })
      : navigate({ to: '/destinations/$id', params: { id: first.id } })
  return (
    <>
      <Text size="sm">
        Stores publish a review hours to a day after it is written. A test event arrives at once.
      </Text>
      <TestButton destinationId={first.id} onSent={show} />
    </>
  )
}
