import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload, IconKey } from '@tabler/icons-react'
import { commonTexts } from '../../messages/common.ts'
import { secondFactorTexts } from '../../messages/second-factor.tsx'
import { useCopy } from '../../ui/use-copy.ts'

/** Backup codes, shown once. */
export function BackupCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[]
  readonly onDone: () => void
}) {
  const text = `${codes.join('\n')}\n`
  const { copied, copy } = useCopy(text)
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(secondFactorTexts.codesFile(text))}`
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey aria-hidden />} title={secondFactorTexts.codesTitle}>
        <Text size="sm">{secondFactorTexts.codesNote}</Text>
      </Alert>
      <List
        listStyleType="none"
        ff="monospace"
        aria-label={secondFactorTexts.codesLabel}
        style={{ columns: 2 }}
      >
        {codes.map((code) => (
          <List.Item key={code}>{code}</List.Item>
        ))}
      </List>
      <Group>
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? commonTexts.copied : secondFactorTexts.copyCodes}
        </Button>
        <Button
          component="a"
          variant="default"
          href={file}
          download="review-radar-backup-codes.txt"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {secondFactorTexts.downloadCodes}
        </Button>
        <Button onClick={onDone} ml="auto">
          {commonTexts.done}
        </Button>
      </Group>
    </Stack>
  )
}
