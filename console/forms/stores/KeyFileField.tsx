import { Button, FileButton, Group, Textarea } from '@mantine/core'

/** A key, pasted or read from a file in the browser. */
export function KeyFileField({
  label,
  description,
  accept,
  button,
  value,
  error,
  onChange,
}: {
  readonly label: string
  readonly description: string
  readonly accept: string
  readonly button: string
  readonly value: string
  readonly error: string | null
  readonly onChange: (text: string, fileName?: string) => void
}) {
  return (
    <div>
      <Textarea
        label={label}
        description={description}
        required
        autosize
        minRows={3}
        maxRows={6}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group mt={6}>
        <FileButton
          accept={accept}
          onChange={(file) => {
            if (file !== null) void file.text().then((text) => onChange(text, file.name))
          }}
        >
          {(props) => (
            <Button {...props} size="xs" variant="light">
              {button}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  )
}
