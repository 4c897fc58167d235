import { Group, Text } from '@mantine/core'
import type { AttemptView } from '../../src/contract/console/deliveries.ts'
import { attemptTexts } from '../messages/deliveries.tsx'
import { duration } from '../util/time.ts'

const PHASES = [
  ['dnsMs', attemptTexts.dns, 'grape.5'],
  ['connectMs', attemptTexts.connect, 'cyan.6'],
  ['tlsMs', attemptTexts.tls, 'indigo.5'],
  ['firstByteMs', attemptTexts.firstByte, 'orange.5'],
] as const

/** The phases of a request as a bar and in words. */
export function AttemptTimings({ attempt }: { readonly attempt: AttemptView }) {
  const totalMs = Math.max(attempt.totalMs, 1)
  const phases = PHASES.flatMap(([key, label, color]) => {
    const ms = attempt[key]
    return ms === null ? [] : [{ label, color, ms }]
  })
  if (phases.length === 0) return null
  // Reading the response body, and queueing inside the service.
  const restMs = attempt.totalMs - phases.reduce((sum, { ms }) => sum + ms, 0)
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
