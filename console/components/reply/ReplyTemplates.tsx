import { Button, Stack, Table, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { languageName } from '../../../src/contract/console/market-names.ts'
import type { ReplyTemplateRow } from '../../../src/contract/v1/reply-templates.ts'
import { replyTemplates, templatesQuery } from '../../data/reply-templates.ts'
import { TemplateModal } from '../../forms/TemplateModal.tsx'
import { commonTexts } from '../../messages/common.ts'
import { templateTexts } from '../../messages/replies.ts'
import { confirmDestructive, notifyDone, notifyFailed } from '../../ui/confirm.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { MayChange, useMayChange } from '../MayChange.tsx'

/** The saved answers of the account, which members change. */
export function ReplyTemplates() {
  const mayChange = useMayChange()
  const templates = useQuery(templatesQuery)
  const queryClient = useQueryClient()
  /** Null: a new one. */
  const [edited, setEdited] = useState<ReplyTemplateRow | null | undefined>(undefined)
  const remove = (template: ReplyTemplateRow) =>
    confirmDestructive({
      title: templateTexts.deleteTitle(template.name),
      consequence: templateTexts.deleteNote,
      verb: templateTexts.delete,
      onConfirm: () =>
        replyTemplates
          .remove(template.id)
          .then(() => queryClient.invalidateQueries({ queryKey: ['reply-templates'] }))
          .then(() => notifyDone(templateTexts.deleted), notifyFailed),
    })
  return (
    <Section
      title={templateTexts.title}
      about={templateTexts.about}
      actions={
        <MayChange>
          <Button variant="default" size="xs" onClick={() => setEdited(null)}>
            {templateTexts.add}
          </Button>
        </MayChange>
      }
    >
      <Stack>
        {templates.isPending && <LoadingLines lines={2} />}
        {templates.isError && <Failed error={templates.error} onRetry={() => templates.refetch()} />}
        {templates.data?.length === 0 && <Text c="dimmed">{templateTexts.empty}</Text>}
        {templates.data !== undefined && templates.data.length > 0 && (
          <ListTable
            label={templateTexts.title}
            minWidth={560}
            columns={[commonTexts.name, templateTexts.text, templateTexts.language]}
            actions={mayChange}
          >
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
                <Table.Td>
                  {template.language === null ? commonTexts.any : languageName(template.language)}
                </Table.Td>
                {mayChange && (
                  <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                    <RowButton
                      verb={templateTexts.edit}
                      of={template.name}
                      onClick={() => setEdited(template)}
                    />
                    <RowButton
                      verb={templateTexts.delete}
                      of={template.name}
                      destructive
                      onClick={() => remove(template)}
                    />
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Stack>
      {edited !== undefined && <TemplateModal changed={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  )
}
