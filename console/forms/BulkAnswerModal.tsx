import { Button, Card, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkReplyResult, ReplyPreviewRow } from '../../src/contract/v1/bulk-replies.ts'
import type { ReplyTemplateRow } from '../../src/contract/v1/reply-templates.ts'
import type { ReviewRow } from '../../src/contract/v1/reviews.ts'
import { replies, replyPreviewQuery } from '../data/replies.ts'
import { templatesQuery } from '../data/reply-templates.ts'
import { bulkAnswerTexts } from '../messages/answers.ts'
import { commonTexts } from '../messages/common.ts'
import { replyTexts } from '../messages/replies.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { FormProblem } from '../ui/FormProblem.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import { Failed, LoadingLines } from '../ui/States.tsx'

/** Answers several reviews with a template, after a look at each text. */
export function BulkAnswerModal({
  reviews,
  onClose,
  onSent,
}: {
  readonly reviews: readonly ReviewRow[]
  readonly onClose: () => void
  readonly onSent: (result: BulkReplyResult) => void
}) {
  const templates = useQuery(templatesQuery)
  const [templateId, setTemplateId] = useState<string | null>(null)
  const template = templates.data?.find(({ id }) => id === templateId)
  return (
    <Modal opened onClose={onClose} title={bulkAnswerTexts.title(reviews.length)} size="lg">
      <Stack>
        {templates.isPending && <LoadingLines lines={1} />}
        {templates.isError && <Failed error={templates.error} onRetry={() => templates.refetch()} />}
        {templates.data?.length === 0 && (
          <Text>
            {bulkAnswerTexts.none}{' '}
            <AnchorLink to="/stores" underline="always">
              {bulkAnswerTexts.create}
            </AnchorLink>
          </Text>
        )}
        {templates.data !== undefined && templates.data.length > 0 && (
          <Select
            label={bulkAnswerTexts.template}
            placeholder={bulkAnswerTexts.choose}
            data={templates.data.map(({ id, name }) => ({ value: id, label: name }))}
            value={templateId}
            onChange={setTemplateId}
            searchable={templates.data.length > 8}
            data-autofocus
          />
        )}
        {template !== undefined && (
          <Previews
            key={template.id}
            template={template}
            reviews={reviews}
            onClose={onClose}
            onSent={onSent}
          />
        )}
      </Stack>
    </Modal>
  )
}

function Previews({
  template,
  reviews,
  onClose,
  onSent,
}: {
  readonly template: ReplyTemplateRow
  readonly reviews: readonly ReviewRow[]
  readonly onClose: () => void
  readonly onSent: (result: BulkReplyResult) => void
}) {
  const fingerprints = reviews.map(({ fingerprint }) => fingerprint)
  const previews = useQuery(replyPreviewQuery(template, fingerprints))
  const sendable = (previews.data ?? []).filter(({ problem }) => problem === null)
  const send = useMutation({
    mutationFn: () =>
      replies.publishMany(
        template,
        sendable.map(({ fingerprint }) => fingerprint),
      ),
    onSuccess: onSent,
  })
  const reviewOf = (fingerprint: string) => reviews.find((review) => review.fingerprint === fingerprint)
  return (
    <>
      {previews.isPending && <LoadingLines lines={3} />}
      {previews.isError && <Failed error={previews.error} onRetry={() => previews.refetch()} />}
      {previews.data !== undefined && (
        <>
          <ScrollRegion label={bulkAnswerTexts.preview} maxHeight={360}>
            <Stack gap="xs">
              {previews.data.map((preview) => (
                <Preview key={preview.fingerprint} preview={preview} review={reviewOf(preview.fingerprint)} />
              ))}
            </Stack>
          </ScrollRegion>
          <Text size="sm" c="dimmed">
            {bulkAnswerTexts.note}
          </Text>
          <FormProblem error={send.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button loading={send.isPending} disabled={sendable.length === 0} onClick={() => send.mutate()}>
              {bulkAnswerTexts.publish(sendable.length)}
            </Button>
          </Group>
        </>
      )}
    </>
  )
}

function Preview({
  preview: { text, chars, chars_max: charsMax, problem },
  review,
}: {
  readonly preview: ReplyPreviewRow
  readonly review: ReviewRow | undefined
}) {
  return (
    <Card withBorder padding="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} className="untrusted-text">
          {reviewTexts.author(review?.author ?? null)}
        </Text>
        <Text size="xs" c="dimmed">
          {review?.app_name ?? review?.app_id}
        </Text>
      </Group>
      <Text size="sm" className="untrusted-text" dir="auto">
        {text}
      </Text>
      <Text size="xs" c={problem === null ? 'dimmed' : 'red'}>
        {problem === null ? replyTexts.charsOf(chars, charsMax) : `${bulkAnswerTexts.leftOut}: ${problem}`}
      </Text>
    </Card>
  )
}
