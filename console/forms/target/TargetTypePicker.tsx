import { Group, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import type { TargetType } from '../../../src/model/target.ts'
import { targetTexts, targetTypeTexts } from '../../messages/target.ts'
import { TargetIcon } from './TargetIcon.tsx'

const TYPES = Object.entries(targetTypeTexts) as [TargetType, (typeof targetTypeTexts)[TargetType]][]

/** The choice of a type, one card each. */
export function TargetTypePicker({
  value,
  onChange,
  error,
}: {
  readonly value: TargetType
  readonly onChange: (type: TargetType) => void
  readonly error: string | null
}) {
  return (
    <Radio.Group
      label={targetTexts.sendTo}
      value={value}
      error={error}
      onChange={(type) => onChange(type as TargetType)}
    >
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs" mt={4}>
        {TYPES.map(([type, { name, about }]) => (
          <Radio.Card key={type} value={type} p="sm" radius="md" aria-label={name} className="target-card">
            <Group wrap="nowrap" gap="sm" align="flex-start">
              <TargetIcon type={type} size={22} />
              <Stack gap={0} style={{ flex: 1, minWidth: 0 }}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {about}
                </Text>
              </Stack>
              <Radio.Indicator />
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
