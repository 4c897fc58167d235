import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import type { AttemptView } from '../../src/contract/console/deliveries.ts'
import { Instant } from '../ui/Instant.tsx'
import { duration } from '../util/time.ts'
import { inWords } from '../util/words.ts'
import { ForeignJson } from './ForeignJson.tsx'

const PHASES = [
  ['dnsMs', 'Name look-up', 'grape.5'],
  ['connectMs', 'Connecting', 'cyan.6'],
  ['tlsMs', 'TLS', 'indigo.5'],
  ['firstByteMs', 'Waiting', 'orange.5'],
] as const

/** One request and its answer, whole. What the other side said is shown as text, whatever it holds. */
export function AttemptDetail({ attempt }: { readonly attempt: AttemptView }) {
  const accepted = attempt.reason === null
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge color={accepted ? 'teal' : 'red'} variant="light" tt="none">
          {accepted
            ? `accepted, ${attempt.httpStatus}`
            : `${inWords(attempt.reason ?? '')}${attempt.httpStatus === null ? '' : `, ${attempt.httpStatus}`}`}
        </Badge>
        <Text size="sm">
          <Instant at={attempt.startedAt} />, took {duration(attempt.totalMs)}
        </Text>
        {attempt.remoteAddress !== null && (
          <Text size="sm" c="dimmed">
            {attempt.remoteAddress}
          </Text>
        )}
      </Group>
      {attempt.detail !== null && (
        <Text size="sm" className="foreign-text">
          {attempt.detail}
        </Text>
      )}
      <Phases attempt={attempt} />
      <Headers title="Request headers" headers={attempt.requestHeaders} />
      {Object.keys(attempt.responseHeaders).length > 0 && (
        <Headers title="Response headers" headers={attempt.responseHeaders} />
      )}
      {attempt.responseBody !== '' && (
        <ForeignJson
          text={attempt.responseBody}
          label={attempt.responseTruncated ? 'Response, its beginning' : 'Response'}
        />
      )}
    </Stack>
  )
}

function Phases({ attempt }: { readonly attempt: AttemptView }) {
  const whole = Math.max(attempt.totalMs, 1)
  const phases = PHASES.flatMap(([key, label, color]) => {
    const ms = attempt[key]
    return ms === null ? [] : [{ label, color, ms }]
  })
  if (phases.length === 0) return null
  // Reading the answer's body, and what the request waited inside the service.
  const restMs = attempt.totalMs - phases.reduce((sum, { ms }) => sum + ms, 0)
  const told = restMs < 1 ? phases : [...phases, { label: 'Rest', ms: restMs }]
  const text = told.map(({ label, ms }) => `${label} ${duration(ms)}`).join(', ')
  return (
    <div>
      <Group
        gap={0}
        h={8}
        style={{ borderRadius: 4, overflow: 'hidden', background: 'var(--mantine-color-default-border)' }}
        aria-hidden
        wrap="nowrap"
      >
        {phases.map(({ label, color, ms }) => (
          <div
            key={label}
            style={{
              width: `${Math.min(100, (100 * ms) / whole)}%`,
              height: 8,
              background: `var(--mantine-color-${color.replace('.', '-')})`,
            }}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </div>
  )
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
              <Table.Td className="foreign-code">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
