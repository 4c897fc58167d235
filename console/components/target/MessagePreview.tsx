import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { MessagePreview as Preview } from '../../../src/contract/console/destinations.ts'
import type { FormattedTargetType } from '../../../src/model/target.ts'
import type { EventType } from '../../../src/model/vocabulary.ts'
import { destinations, messagePreviewQuery } from '../../data/destinations.ts'
import { settingsOf, type TargetValues } from '../../forms/target/settings.ts'
import { targetTexts } from '../../messages/target.ts'
import { FormProblem } from '../../ui/FormProblem.tsx'

/** The message of a sample event as text. Mail and requests of one's own can be shown as they are sent, with their settings. */
export function MessagePreview({
  type,
  eventType,
  values,
}: {
  readonly type: FormattedTargetType
  readonly eventType: EventType
  readonly values: TargetValues
}) {
  const content = useQuery(messagePreviewQuery(type, eventType))
  const exact = useMutation({
    mutationFn: () => destinations.previewMessage(type, eventType, settingsOf(type, values)),
  })
  const showsText = type === 'http' || type === 'email'
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {targetTexts.preview}
      </Text>
      {content.data !== undefined && <Message preview={content.data} />}
      {showsText && (
        <Group gap="xs">
          <Button variant="default" size="xs" loading={exact.isPending} onClick={() => exact.mutate()}>
            {type === 'http' ? targetTexts.showRequest : targetTexts.showMail}
          </Button>
        </Group>
      )}
      <FormProblem error={exact.error} />
      {exact.data?.text != null && (
        <pre
          className="untrusted-code"
          style={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {exact.data.text}
        </pre>
      )}
    </Stack>
  )
}

function Message({ preview }: { readonly preview: Preview }) {
  const { heading, quote, summary, facts, origin, links } = preview
  return (
    <Card withBorder padding="sm" component="figure" m={0} aria-label={targetTexts.sample}>
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {heading}
        </Text>
        {quote !== null && (
          <Text
            size="sm"
            pl="sm"
            style={{ borderInlineStart: '3px solid var(--mantine-color-default-border)' }}
            className="untrusted-text"
          >
            {quote}
          </Text>
        )}
        {summary !== null && (
          <Text size="sm" fs="italic">
            {targetTexts.inEnglish(summary)}
          </Text>
        )}
        {facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>}
        <Text size="xs" c="dimmed">
          {origin.join(' · ')}
        </Text>
        <Text size="xs" td="underline">
          {links.join('  ·  ')}
        </Text>
      </Stack>
    </Card>
  )
}
