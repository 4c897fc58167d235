import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { AttemptRequest } from '../../src/contract/attempt.ts'
import { displayName, inSentence, REASON_NAMES } from '../../src/contract/console/display-names.ts'
import { attemptTexts } from '../messages/deliveries.tsx'
import { Instant } from '../ui/Instant.tsx'
import { AttemptTimings } from './AttemptTimings.tsx'
import { UntrustedJson } from './UntrustedJson.tsx'

/** One request and its response in full. The response is shown as plain text. `summary` is its outcome, time and duration. */
export function AttemptDetail({
  attempt,
  summary = true,
}: {
  readonly attempt: AttemptRequest
  readonly summary?: boolean
}) {
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {summary && (
          <>
            <AttemptBadge attempt={attempt} />
            <Text size="sm">
              {attemptTexts.startedAndTook(<Instant at={attempt.started_at} />, attempt.timings_ms.total)}
            </Text>
          </>
        )}
        {attempt.remote_address !== null && (
          <Text size="sm" c="dimmed">
            {attempt.remote_address}
          </Text>
        )}
      </Group>
      {attempt.detail !== null && (
        <Text size="sm" className="untrusted-text">
          {attempt.detail}
        </Text>
      )}
      <AttemptTimings attempt={attempt} />
      <Headers title={attemptTexts.requestHeaders} headers={attempt.request_headers} />
      {Object.keys(attempt.response_headers).length > 0 && (
        <Headers title={attemptTexts.responseHeaders} headers={attempt.response_headers} />
      )}
      {attempt.message !== null && <UntrustedJson text={attempt.message} label={attemptTexts.message} />}
      {attempt.response_body !== '' && (
        <UntrustedJson
          text={attempt.response_body}
          label={attempt.response_truncated ? attemptTexts.responseBodyTruncated : attemptTexts.responseBody}
        />
      )}
    </Stack>
  )
}

/** The outcome of an attempt: accepted, an HTTP status or a failure reason. */
export function AttemptBadge({ attempt }: { readonly attempt: AttemptRequest }) {
  return (
    <Badge color={attempt.reason === null ? 'teal' : 'red'} variant="light" tt="none">
      {attemptOutcome(attempt.reason, attempt.http_status)}
    </Badge>
  )
}

/** Why a delivery became a dead letter: the last error, then why no attempt follows. */
export function deadBecause(
  deadReason: string,
  last: {
    readonly attempts: number
    readonly last_reason: string | null
    readonly last_http_status: number | null
  },
): string {
  const reason = displayName(REASON_NAMES, deadReason)
  if (deadReason === last.last_reason) return reason
  if (last.last_reason !== null || last.last_http_status !== null)
    return attemptTexts.thenDead(attemptOutcome(last.last_reason, last.last_http_status), inSentence(reason))
  return last.attempts === 0 ? attemptTexts.withoutAttempt(reason) : reason
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
