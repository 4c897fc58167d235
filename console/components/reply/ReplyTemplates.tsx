import { Button, Stack, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TemplateLine } from '../../../src/contract/console/reply-templates.ts'
import { replyTemplates, templatesQuery } from '../../data/reply-templates.ts'
import { TemplateModal } from '../../forms/TemplateModal.tsx'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { languageName } from '../../util/storefronts.ts'

/** The saved answers of the account, which every member changes. */
export function ReplyTemplates() {
  const templates = useQuery(templatesQuery)
  const queryClient = useQueryClient()
  /** Null: a new one. */
  const [edited, setEdited] = useState<TemplateLine | null | undefined>(undefined)
  const remove = (template: TemplateLine) =>
    confirmDestructive({
      title: `Delete “${template.name}”?`,
      consequence: 'Answers that were made with it do not change.',
      verb: 'Delete',
      onConfirm: () =>
        replyTemplates
          .remove(template.id)
          .then(() => queryClient.invalidateQueries({ queryKey: ['reply-templates'] }))
          .then(() => notifyDone('Template deleted.'), notifyFailed),
    })
  return (
    <Section
      title="Answer templates"
      about="Saved answers, to insert when you answer a review."
      actions={
        <Button variant="default" size="xs" onClick={() => setEdited(null)}>
          New template
        </Button>
      }
    >
      <Stack>
        {templates.isPending && <LoadingLines lines={2} />}
        {templates.isError && <Failed error={templates.error} onRetry={() => templates.refetch()} />}
        {templates.data?.length === 0 && <Text c="dimmed">No templates yet.</Text>}
        {templates.data !== undefined && templates.data.length > 0 && (
          <ListTable label="Answer templates" minWidth={560} columns={['Name', 'Text', 'Language']} actions>
            {templates.data.map((template) => (
              <Table.Tr key={template.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }} maw={200}>
                  {template.name}
                </Table.Td>
                <Table.Td maw={360}>
                  <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                    {template.text}
                  </Text>
                </Table.Td>
                <Table.Td>{template.language === null ? 'Any' : languageName(template.language)}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <RowButton verb="Edit" of={template.name} onClick={() => setEdited(template)} />
                  <RowButton verb="Delete" of={template.name} destructive onClick={() => remove(template)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Stack>
      {edited !== undefined && <TemplateModal changed={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  )
}
