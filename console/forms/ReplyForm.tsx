import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyPanel } from '../../src/contract/console/replies.ts'
import { replies } from '../data/replies.ts'
import { notifyDone } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { useProblems } from './problems.ts'

/** Writes an answer: as a draft, which only members see, or published in the store. */
export function ReplyForm({
  fingerprint,
  panel: { reply, charsMax },
  onChanged,
}: {
  readonly fingerprint: string
  readonly panel: ReplyPanel
  readonly onChanged: (changed: ReplyPanel, isDone: boolean) => void
}) {
  const [text, setText] = useState(reply?.draft ?? reply?.text ?? reply?.shownText ?? '')
  const chars = [...text.trim()].length
  const publish = useMutation({
    mutationFn: () => replies.publish(fingerprint, text),
    onSuccess: (changed) => onChanged(changed, true),
  })
  const draft = useMutation({
    mutationFn: () => replies.saveDraft(fingerprint, text),
    onSuccess: (changed) => {
      notifyDone('Draft saved.')
      onChanged(changed, false)
    },
  })
  const problems = useProblems(publish.error ?? draft.error, ['text'])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        publish.mutate()
      }}
    >
      <Stack gap="xs">
        <FormProblem error={problems.beside} />
        <Textarea
          label="Your answer"
          description="Everyone sees it in the store, and the reviewer is notified. Write in the language of the review."
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          onChange={(event) => {
            problems.edited('text')
            setText(event.currentTarget.value)
          }}
          error={problems.at('text')}
        />
        <Group justify="space-between">
          <Text size="xs" c={chars > charsMax ? 'red' : 'dimmed'}>
            {chars} of {charsMax} characters
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              loading={draft.isPending}
              disabled={chars === 0}
              onClick={() => draft.mutate()}
            >
              Save draft
            </Button>
            <Button
              type="submit"
              size="xs"
              loading={publish.isPending}
              disabled={chars === 0 || chars > charsMax}
            >
              Publish
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
