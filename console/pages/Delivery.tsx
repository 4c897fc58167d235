import { Accordion, Anchor, Badge, Button, Card, Code, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { AttemptView, DeliveryPage } from '../../src/contract/console/deliveries.ts'
import { AttemptDetail } from '../components/AttemptDetail.tsx'
import { ForeignJson } from '../components/ForeignJson.tsx'
import { NextTry } from '../components/NextTry.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { deadLetters, deliveryQuery } from '../data/deliveries.ts'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { tellDone, tellFailed } from '../ui/confirm.tsx'
import { Instant } from '../ui/Instant.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Section } from '../ui/Section.tsx'
import { Failed, LoadingPage } from '../ui/States.tsx'
import { curlOf } from '../util/curl.ts'
import { paths } from '../util/paths.ts'
import { duration } from '../util/time.ts'
import { inWords } from '../util/words.ts'

/** One delivery: its bytes, every request that carried them, and sending it again. */
export function Delivery() {
  const { eventId } = useParams({ from: '/signed-in/deliveries/$eventId' })
  const delivery = useQuery(deliveryQuery(eventId))
  if (delivery.isPending) return <LoadingPage />
  if (delivery.isLoadingError) return <Failed error={delivery.error} onRetry={() => delivery.refetch()} />
  const page = delivery.data
  return (
    <Stack>
      {delivery.isRefetchError && <Failed error={delivery.error} onRetry={() => delivery.refetch()} />}
      <PageHeader
        title={page.eventType}
        about={
          <>
            <StatusBadge status={page.status} /> to{' '}
            <Anchor component={Link} to={paths.destination(page.hookId)} style={{ overflowWrap: 'anywhere' }}>
              {page.targetUrl}
            </Anchor>
          </>
        }
        actions={<Actions page={page} />}
      />
      <Text size="sm" c="dimmed">
        Event <Code style={{ overflowWrap: 'anywhere' }}>{page.eventId}</Code>{' '}
        <CopyIcon value={page.eventId} what="event id" /> made <Instant at={page.createdAt} />
        {page.dueAt !== null && page.status === 'pending' && (
          <>
            , <NextTry at={page.dueAt} />
          </>
        )}
        {page.deadReason !== null && <>, given up: {inWords(page.deadReason)}</>}
      </Text>
      <Card withBorder component="section" aria-label="Payload">
        <ForeignJson text={page.body} label="Payload" />
      </Card>
      <Section title="Attempts">
        {page.history.length === 0 ? <Text c="dimmed">None yet.</Text> : <History attempts={page.history} />}
      </Section>
    </Stack>
  )
}

function History({ attempts }: { readonly attempts: readonly AttemptView[] }) {
  return (
    <Accordion variant="separated" multiple defaultValue={[keyOf(attempts.at(-1))]}>
      {attempts.map((attempt, index) => (
        <Accordion.Item key={keyOf(attempt)} value={keyOf(attempt)}>
          <Accordion.Control>
            <Text span fw={500}>
              {index + 1}.{' '}
            </Text>
            <Badge color={attempt.reason === null ? 'teal' : 'red'} variant="light" tt="none" mr="xs">
              {attempt.httpStatus ?? inWords(attempt.reason ?? '')}
            </Badge>
            <Text span size="sm" c="dimmed">
              <Instant at={attempt.startedAt} />, {duration(attempt.totalMs)}
            </Text>
          </Accordion.Control>
          <Accordion.Panel>
            <AttemptDetail attempt={attempt} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

function keyOf(attempt: AttemptView | undefined): string {
  return attempt === undefined ? '' : `${attempt.startedAt}/${attempt.number}`
}

function Actions({ page }: { readonly page: DeliveryPage }) {
  const queryClient = useQueryClient()
  const resend = useMutation({
    mutationFn: () => deadLetters.resend(page.eventId),
    onSuccess: async () => {
      tellDone('Put back on the queue: same event id, same bytes.')
      await queryClient.invalidateQueries({ queryKey: ['delivery', page.eventId] })
    },
    onError: tellFailed,
  })
  return (
    <>
      {page.body !== null && <CopyCurl value={curlOf(page.targetUrl, page.eventId, page.body)} />}
      {page.body !== null && page.status !== 'pending' && page.status !== 'held' && (
        <Button loading={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </Button>
      )}
    </>
  )
}

function CopyCurl({ value }: { readonly value: string }) {
  const copy = () =>
    navigator.clipboard
      .writeText(value)
      .then(() => tellDone('Copied. Sign it yourself: the secret is not in it.'), tellFailed)
  return (
    <Button variant="default" onClick={copy}>
      Copy as curl
    </Button>
  )
}
