import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import { PLACEHOLDER_LIST } from '../../src/model/reply-template.ts'
import { replyTemplates } from '../data/reply-templates.ts'
import { commonTexts } from '../messages/common.ts'
import { templateTexts } from '../messages/replies.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { languageOptions } from '../util/languages.ts'
import { useProblems } from './problems.ts'

/** Creates an answer template, or changes `changed`. */
export function TemplateModal({
  changed,
  onClose,
}: {
  readonly changed: ReplyTemplateRow | null
  readonly onClose: () => void
}) {
  const [name, setName] = useState(changed?.name ?? '')
  const [text, setText] = useState(changed?.text ?? '')
  const [language, setLanguage] = useState(changed?.language ?? null)
  const languages = useMemo(languageOptions, [])
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => {
      const body = { name, text, language }
      return changed === null ? replyTemplates.create(body) : replyTemplates.replace(changed.id, body)
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['reply-templates'] })
      notifyDone(templateTexts.saved)
      onClose()
    },
  })
  const problems = useProblems(save.error, ['name', 'text', 'language'])
  return (
    <Modal
      opened
      onClose={onClose}
      title={changed === null ? templateTexts.newTitle : templateTexts.editTitle(changed.name)}
      size="lg"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack>
          <FormProblem error={problems.beside} />
          <TextInput
            label={commonTexts.name}
            description={templateTexts.nameNote}
            value={name}
            onChange={(event) => {
              problems.edited('name')
              setName(event.currentTarget.value)
            }}
            error={problems.at('name')}
            data-autofocus
            required
          />
          <Textarea
            label={templateTexts.text}
            description={templateTexts.textNote(PLACEHOLDER_LIST)}
            autosize
            minRows={4}
            maxRows={12}
            value={text}
            onChange={(event) => {
              problems.edited('text')
              setText(event.currentTarget.value)
            }}
            error={problems.at('text')}
            required
          />
          <Text size="xs" c="dimmed">
            {templateTexts.chars([...text.trim()].length)}
          </Text>
          <Select
            label={templateTexts.language}
            description={templateTexts.languageNote}
            placeholder={templateTexts.anyLanguage}
            data={languages}
            value={language}
            onChange={(value) => {
              problems.edited('language')
              setLanguage(value)
            }}
            error={problems.at('language')}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': templateTexts.anyLanguage }}
            nothingFoundMessage={templateTexts.noSuchLanguage}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button
              type="submit"
              loading={save.isPending}
              disabled={name.trim() === '' || text.trim() === ''}
            >
              {templateTexts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
