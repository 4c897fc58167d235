import { Alert, Button, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload, IconKey } from '@tabler/icons-react'

/** Backup codes, shown once. */
export function BackupCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const text = `${codes.join('\n')}\n`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Review Radar: backup codes\n\n${text}`)}`
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey aria-hidden />} title="Save the backup codes now">
        <Text size="sm">
          Each signs you in once without your phone. You cannot see them again. Keep them where you keep
          passwords.
        </Text>
      </Alert>
      <List listStyleType="none" ff="monospace" aria-label="Backup codes" style={{ columns: 2 }}>
        {codes.map((code) => (
          <List.Item key={code}>{code}</List.Item>
        ))}
      </List>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? 'Copied' : 'Copy codes'}
            </Button>
          )}
        </CopyButton>
        <Button
          component="a"
          variant="default"
          href={file}
          download="review-radar-backup-codes.txt"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download codes
        </Button>
        <Button onClick={onDone} ml="auto">
          Done
        </Button>
      </Group>
    </Stack>
  )
}
