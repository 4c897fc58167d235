import { Group, Text } from '@mantine/core'
import type { AttemptRequest } from '../../src/contract/attempt.ts'
import { attemptTexts } from '../messages/deliveries.tsx'
import { duration } from '../util/time.ts'

const PHASES = [
  ['dns', attemptTexts.dns, 'grape.5'],
  ['connect', attemptTexts.connect, 'cyan.6'],
  ['tls', attemptTexts.tls, 'indigo.5'],
  ['first_byte', attemptTexts.firstByte, 'orange.5'],
] as const

/** The phases of a request as a bar and in words. */
export function AttemptTimings({ attempt: { timings_ms: timings } }: { readonly attempt: AttemptRequest }) {
  const totalMs = Math.max(timings.total, 1)
  const phases = PHASES.flatMap(([key, label, color]) => {
    const ms = timings[key]
    return ms === null ? [] : [{ label, color, ms }]
  })
  if (phases.length === 0) return null
  // Reading the response body, and queueing inside the service.
  const restMs = timings.total - phases.reduce((sum, { ms }) => sum + ms, 0)
  const listed = restMs < 1 ? phases : [...phases, { label: attemptTexts.other, ms: restMs }]
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
              width: `${Math.min(100, (100 * ms) / totalMs)}%`,
              height: 8,
              background: `var(--mantine-color-${color.replace('.', '-')})`,
            }}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {listed.map(({ label, ms }) => `${label} ${duration(ms)}`).join(', ')}
      </Text>
    </div>
  )
}
