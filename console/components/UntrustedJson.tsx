import { Box } from '@mantine/core'
import { CodeFrame } from '../ui/CodeFrame.tsx'

/** Text from outside, such as a response body, as plain text. JSON is indented. */
export function UntrustedJson({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CodeFrame label={label} text={text} maxHeight={360}>
      <Box
        component="pre"
        className="untrusted-code"
        m={0}
        p="xs"
        style={{ background: 'var(--mantine-color-default-hover)', borderRadius: 8 }}
      >
        {indented(text)}
      </Box>
    </CodeFrame>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
