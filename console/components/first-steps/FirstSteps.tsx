import { Button, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Overview } from '../../../src/contract/console/overview.ts'
import { isInbox } from '../../../src/model/inbox.ts'
import { destinationsQuery } from '../../data/destinations.ts'
import { useOpenInbox } from '../../data/inbox.ts'
import { startTexts } from '../../messages/start.tsx'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { AnchorLink, ButtonLink } from '../../ui/links.tsx'
import { TestButton } from '../inbox/TestButton.tsx'
import { Step } from './Step.tsx'

/** Guides a new account to its first event in three steps. Only the current step has a button. */
export function FirstSteps({ steps }: { readonly steps: Overview['steps'] }) {
  const { app, destination, delivered } = steps
  return (
    <Stack component="section" aria-label={startTexts.title} gap="sm">
      <Title order={2} size="h4">
        {startTexts.steps}
      </Title>
      <Step number={1} title={startTexts.trackTitle} done={app} current={!app}>
        <Text size="sm">{startTexts.trackNote}</Text>
        <ButtonLink to="/apps/add">{startTexts.findApp}</ButtonLink>
      </Step>
      <Step number={2} title={startTexts.chooseTitle} done={destination} current={app && !destination}>
        <TurnOnInbox />
      </Step>
      <Step
        number={3}
        title={startTexts.seeTitle}
        done={delivered}
        current={app && destination && !delivered}
      >
        <SeeEvent />
      </Step>
    </Stack>
  )
}

function TurnOnInbox() {
  const open = useOpenInbox()
  return (
    <>
      <Text size="sm">
        {startTexts.inboxNote(
          <AnchorLink to="/destinations/new" size="sm" underline="always">
            {startTexts.addDestinationLink}
          </AnchorLink>,
        )}
      </Text>
      <FormProblem error={open.error} />
      <Button loading={open.isPending} onClick={() => open.mutate(null)}>
        {startTexts.turnOnInbox}
      </Button>
    </>
  )
}

function SeeEvent() {
  const destinations = useQuery(destinationsQuery)
  const first = destinations.data?.find(isInbox) ?? destinations.data?.[0]
  const navigate = useNavigate()
  if (first === undefined) return null
  const show = () =>
    isInbox(first)
      ? navigate({ to: '/inbox' })
      : navigate({ to: '/destinations/$id', params: { id: first.id } })
  return (
    <>
      <Text size="sm">{startTexts.delayNote}</Text>
      <TestButton destinationId={first.id} onSent={show} />
    </>
  )
}
