import { Box, Group, ScrollArea, Text } from '@mantine/core'
import { CopyIcon } from '../ui/CopyValue.tsx'

/** JSON or any other text from outside, as text: indented when it is JSON, never more than that. */
export function ForeignJson({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyIcon value={text} what={label.toLowerCase()} />
      </Group>
      <ScrollArea.Autosize
        mah={360}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
      >
        <Box
          component="pre"
          className="foreign-code"
          m={0}
          p="xs"
          style={{ background: 'var(--mantine-color-default-hover)', borderRadius: 8 }}
        >
          {indented(text)}
        </Box>
      </ScrollArea.Autosize>
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
