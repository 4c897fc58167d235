import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { AttemptView } from '../../src/contract/console/deliveries.ts'
import { displayName, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { attemptTexts } from '../messages/deliveries.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AttemptTimings } from './AttemptTimings.tsx'
import { UntrustedJson } from './UntrustedJson.tsx'

/** One request and its response in full. The response is shown as plain text. `summary` is its outcome, time and duration. */
export function AttemptDetail({
  attempt,
  summary = true,
}: {
  readonly attempt: AttemptView
  readonly summary?: boolean
}) {
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {summary && (
          <>
            <AttemptBadge attempt={attempt} />
            <Text size="sm">
              {attemptTexts.startedAndTook(<Instant at={attempt.startedAt} />, attempt.totalMs)}
            </Text>
          </>
        )}
        {attempt.remoteAddress !== null && (
          <Text size="sm" c="dimmed">
            {attempt.remoteAddress}
          </Text>
        )}
      </Group>
      {attempt.detail !== null && (
        <Text size="sm" className="untrusted-text">
          {attempt.detail}
        </Text>
      )}
      <AttemptTimings attempt={attempt} />
      <Headers title={attemptTexts.requestHeaders} headers={attempt.requestHeaders} />
      {Object.keys(attempt.responseHeaders).length > 0 && (
        <Headers title={attemptTexts.responseHeaders} headers={attempt.responseHeaders} />
      )}
      {attempt.message !== null && <UntrustedJson text={attempt.message} label={attemptTexts.message} />}
      {attempt.responseBody !== '' && (
        <UntrustedJson
          text={attempt.responseBody}
          label={attempt.responseTruncated ? attemptTexts.responseBodyTruncated : attemptTexts.responseBody}
        />
      )}
    </Stack>
  )
}

/** The outcome of an attempt: accepted, an HTTP status or a failure reason. */
export function AttemptBadge({ attempt }: { readonly attempt: AttemptView }) {
  return (
    <Badge color={attempt.reason === null ? 'teal' : 'red'} variant="light" tt="none">
      {attemptOutcome(attempt.reason, attempt.httpStatus)}
    </Badge>
  )
}

/** The outcome of an attempt in words. */
export function attemptOutcome(reason: string | null, httpStatus: number | null): string {
  const answer = httpStatus === null ? null : attemptTexts.httpStatus(httpStatus)
  if (reason === null) return answer === null ? attemptTexts.accepted : attemptTexts.acceptedWith(answer)
  if (answer === null) return displayName(REASON_NAMES, reason)
  return reason === 'http_status' ? answer : `${displayName(REASON_NAMES, reason)}, ${answer}`
}

function Headers({
  title,
  headers,
}: {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
}) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <Table variant="vertical" withRowBorders={false} verticalSpacing={2} fz="xs">
        <Table.Tbody>
          {Object.entries(headers).map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={180} fw={500} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td className="untrusted-code">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
