import { ActionIcon, Code, Group, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { commonTexts } from '../messages/common.ts'
import { useCopy } from './use-copy.ts'

export function CopyIcon({ value, what }: { readonly value: string; readonly what: string }) {
  const { copied, copy } = useCopy(value)
  return (
    <Tooltip label={copied ? commonTexts.copied : commonTexts.copy(what)}>
      <ActionIcon
        variant="subtle"
        color={copied ? 'teal' : 'gray'}
        onClick={copy}
        aria-label={commonTexts.copy(what)}
      >
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  )
}

/** A complete value with a copy button. */
export function CopyValue({ value, what }: { readonly value: string; readonly what: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code className="untrusted-code" style={{ flex: 1, padding: 8 }}>
        {value}
      </Code>
      <CopyIcon value={value} what={what} />
    </Group>
  )
}
