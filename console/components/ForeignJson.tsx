import { Box, Group, Text } from '@mantine/core'
import { CopyIcon } from '../ui/CopyValue.tsx'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'

/** JSON or any other text from outside, as plain text; JSON is indented. */
export function ForeignJson({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyIcon value={text} what={label.toLowerCase()} />
      </Group>
      <ScrollRegion label={label} maxHeight={360}>
        <Box
          component="pre"
          className="foreign-code"
          m={0}
          p="xs"
          style={{ background: 'var(--mantine-color-default-hover)', borderRadius: 8 }}
        >
          {indented(text)}
        </Box>
      </ScrollRegion>
    </div>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
