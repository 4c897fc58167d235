import { Box } from '@mantine/core'
import { CodeFrame } from './CodeFrame.tsx'

/**
 * The service's own JSON in colour, with collapsible objects and lists. Other text is shown unchanged. Not for text from
 * outside: deeply nested JSON would exhaust the stack.
 */
export function JsonTree({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CodeFrame label={label} text={text} maxHeight={420}>
      <Box className="untrusted-code json" p="xs">
        {rendered(text)}
      </Box>
    </CodeFrame>
  )
}

function rendered(text: string) {
  try {
    return <Value value={JSON.parse(text)} />
  } catch {
    return text
  }
}

function Value({ value, name }: { readonly value: unknown; readonly name?: string }) {
  const key = name === undefined ? null : <span className="json-key">{JSON.stringify(name)}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div>
        {key}
        <span className={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    )
  }
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <div>
        {key}
        {open}
        {close}
      </div>
    )
  }
  return (
    <details open>
      <summary>
        {key}
        {open}
      </summary>
      <div className="json-inside">
        {entries.map(([entry, inside]) => (
          <Value key={entry} value={inside} {...(isList ? {} : { name: entry })} />
        ))}
      </div>
      <div>{close}</div>
    </details>
  )
}
