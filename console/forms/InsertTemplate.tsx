import { Button, Menu, Text } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { languageName } from '../../src/contract/console/market-names.ts'
import type { FilledTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import { filledTemplatesQuery } from '../data/reply-templates.ts'
import { stateTexts } from '../messages/common.ts'
import { templateTexts } from '../messages/replies.ts'

/** A menu of the saved answers, filled with the values of the review; those in its language first. */
export function InsertTemplate({
  fingerprint,
  language,
  disabled,
  onInsert,
}: {
  readonly fingerprint: string
  readonly language: string | null
  readonly disabled: boolean
  readonly onInsert: (text: string) => void
}) {
  const templates = useQuery(filledTemplatesQuery(fingerprint))
  const groups = Map.groupBy(templates.data ?? [], (template) => groupOf(template, language))
  return (
    <Menu position="bottom-start" width={320} styles={{ itemLabel: { minWidth: 0 } }}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconTemplate size={14} aria-hidden />}
          disabled={disabled}
        >
          {templateTexts.insert}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {templates.isPending && <Menu.Label>{stateTexts.loading}</Menu.Label>}
        {templates.isError && <Menu.Label>{templateTexts.failed}</Menu.Label>}
        {templates.data?.length === 0 && <Menu.Label>{templateTexts.noneToInsert}</Menu.Label>}
        {[...groups].map(([group, of]) => (
          <div key={group}>
            <Menu.Label>{group}</Menu.Label>
            {of.map(({ id, name, filled }) => (
              <Menu.Item key={id} onClick={() => onInsert(filled)}>
                <Text size="sm" truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {filled}
                </Text>
              </Menu.Item>
            ))}
          </div>
        ))}
        <Menu.Divider />
        {/* A new tab, so that the answer stays open. */}
        <Menu.Item component={Link} to="/stores" target="_blank">
          {templateTexts.manage}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function groupOf(template: FilledTemplateRow, language: string | null): string {
  if (template.language === null) return templateTexts.anyLanguage
  return template.language === language ? languageName(language) : templateTexts.otherLanguages
}
