import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { languageName } from '../../src/contract/console/market-names.ts'
import type { ReplyRow } from '../../src/contract/v1/replies.ts'
import { answerDraft, type ShownDraft } from '../data/answer-draft.ts'
import { replies } from '../data/replies.ts'
import { replyTexts } from '../messages/replies.ts'
import { confirmDestructive } from '../ui/confirm.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { InsertTemplate } from './InsertTemplate.tsx'
import { useProblems } from './problems.ts'

/** Writes an answer. What is typed is kept as a draft, which only members see, until it is published in the store. */
export function ReplyForm({
  fingerprint,
  reply: { chars_max: charsMax, language, ...reply },
  autoFocus,
  onPublished,
}: {
  readonly fingerprint: string
  readonly reply: ReplyRow
  readonly autoFocus: boolean
  readonly onPublished: (changed: ReplyRow) => void
}) {
  const queryClient = useQueryClient()
  const draft = useMemo(() => answerDraft(queryClient, fingerprint), [queryClient, fingerprint])
  const { text: typed, saving, isPublishing } = useSyncExternalStore(draft.subscribe, draft.shown)
  const text = typed ?? reply.draft ?? reply.text ?? reply.shown_text ?? ''
  const chars = [...text.trim()].length
  const field = useRef<HTMLTextAreaElement>(null)
  const publish = useMutation({
    mutationFn: () => draft.publish(() => replies.publish(fingerprint, text)),
    onSuccess: onPublished,
  })
  const problems = useProblems(publish.error, ['text'])
  const edit = (changed: string) => {
    problems.edited('text')
    draft.edited(changed)
  }

  // The browser puts the cursor at the start of an existing answer.
  useEffect(() => {
    const end = field.current?.value.length ?? 0
    field.current?.setSelectionRange(end, end)
    if (autoFocus) field.current?.focus({ preventScroll: true })
  }, [autoFocus])
  /** At the cursor, in place of selected text, and on a line of its own after a word. */
  const insert = (inserted: string) => {
    const area = field.current
    if (area === null) return
    const followsWord = /\S$/.test(area.value.slice(0, area.selectionStart))
    const addition = followsWord ? `\n${inserted}` : inserted
    area.setRangeText(addition, area.selectionStart, area.selectionEnd, 'end')
    // React hears of changes through events only.
    area.dispatchEvent(new Event('input', { bubbles: true }))
    area.focus()
  }
  const generate = useMutation({
    mutationFn: () => replies.generate(fingerprint),
    onSuccess: (drafted) => edit(drafted.text),
  })
  const startGenerating = () => {
    if (chars === 0) return generate.mutate()
    confirmDestructive({
      title: replyTexts.replaceTitle,
      consequence: replyTexts.replaceNote,
      verb: replyTexts.replace,
      onConfirm: generate.mutate,
    })
  }
  const canPublish = chars > 0 && chars <= charsMax && !generate.isPending && !isPublishing
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        publish.mutate()
      }}
    >
      <Stack gap="xs">
        <FormProblem error={problems.beside ?? generate.error} />
        <Textarea
          ref={field}
          label={replyTexts.label}
          description={
            <>
              {replyTexts.note}{' '}
              {language === null
                ? replyTexts.languageNote
                : replyTexts.reviewLanguage(languageName(language))}
            </>
          }
          autosize
          minRows={3}
          maxRows={12}
          value={text}
          disabled={generate.isPending}
          // What was typed after the click would be neither sent nor kept.
          readOnly={isPublishing}
          onChange={(event) => edit(event.currentTarget.value)}
          onBlur={() => void draft.save()}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            if (canPublish) publish.mutate()
          }}
          error={problems.at('text')}
        />
        <Group gap="xs">
          <InsertTemplate
            fingerprint={fingerprint}
            language={language}
            disabled={generate.isPending || isPublishing}
            onInsert={insert}
          />
          {reply.can_generate && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconSparkles size={14} aria-hidden />}
              loading={generate.isPending}
              disabled={isPublishing}
              onClick={startGenerating}
            >
              {replyTexts.draftByModel}
            </Button>
          )}
          {generate.isSuccess && (
            <Text size="xs" c="dimmed" role="status">
              {replyTexts.modelNote}
            </Text>
          )}
        </Group>
        <Group justify="space-between">
          <Group gap="xs">
            <Text size="xs" c={chars > charsMax ? 'red' : 'dimmed'}>
              {replyTexts.charsOf(chars, charsMax)}
            </Text>
            <Text size="xs" c={saving === 'failed' ? 'red' : 'dimmed'} role="status">
              {DRAFT_STATES[saving]}
            </Text>
          </Group>
          <Group gap="xs">
            <Text size="xs" c="dimmed" visibleFrom="sm">
              {replyTexts.keys}
            </Text>
            <Button type="submit" size="xs" loading={isPublishing} disabled={!canPublish && !isPublishing}>
              {replyTexts.publish}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}

const DRAFT_STATES: Readonly<Record<ShownDraft['saving'], string>> = {
  unchanged: '',
  saving: '',
  saved: replyTexts.draftSaved,
  failed: replyTexts.draftFailed,
}
