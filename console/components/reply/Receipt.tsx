import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReplyBatch } from '../../../src/contract/v1/bulk-replies.ts'
import { replies, replyBatchQuery } from '../../data/replies.ts'
import { RequestFailed } from '../../data/request.ts'
import { answerTexts, receiptTexts } from '../../messages/answers.ts'
import { reviewTexts } from '../../messages/reviews.tsx'
import { notifyFailed } from '../../ui/confirm.tsx'
import { ListTable } from '../../ui/ListTable.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { MayChange } from '../MayChange.tsx'
import { REPLY_STATE_COLORS as COLORS, REPLY_STATE_NAMES } from './reply-states.ts'
import { notifyUndone } from './undo.tsx'

/** What became of answers that were sent together. */
export function Receipt({ batchId, onClose }: { readonly batchId: string; readonly onClose: () => void }) {
  const batch = useQuery(replyBatchQuery(batchId))
  const queryClient = useQueryClient()
  const undo = useMutation({
    mutationFn: () => replies.undoMany(batchId),
    onSuccess: notifyUndone,
    onError: notifyFailed,
    onSettled: () => queryClient.invalidateQueries(),
  })
  const isOver = batch.error instanceof RequestFailed && batch.error.status === 404
  const shown = isOver ? undefined : batch.data
  const canUndo = shown?.replies.some(({ undo_until }) => undo_until !== null)
  return (
    <Section
      title={receiptTexts.title}
      about={shown && summaryOf(shown)}
      actions={
        <Group gap="xs">
          {canUndo === true && (
            <MayChange>
              <Button
                size="compact-sm"
                variant="default"
                loading={undo.isPending}
                onClick={() => undo.mutate()}
              >
                {receiptTexts.undoAll}
              </Button>
            </MayChange>
          )}
          <Button size="compact-sm" variant="subtle" onClick={onClose}>
            {receiptTexts.close}
          </Button>
        </Group>
      }
    >
      {batch.isPending && <LoadingLines lines={2} />}
      {isOver && <Text c="dimmed">{receiptTexts.none}</Text>}
      {batch.isError && !isOver && <Failed error={batch.error} onRetry={() => batch.refetch()} />}
      {shown !== undefined && (
        <ListTable
          label={receiptTexts.title}
          minWidth={520}
          columns={[receiptTexts.review, receiptTexts.state, receiptTexts.answer]}
        >
          {shown.replies.map(({ fingerprint, review_author, app_name, app_id, state, text, ...reply }) => (
            <Table.Tr key={fingerprint}>
              <Table.Td style={{ overflowWrap: 'anywhere' }} maw={200}>
                <AnchorLink to="/reviews/$fingerprint" params={{ fingerprint }} size="sm">
                  {reviewTexts.author(review_author)}
                </AnchorLink>
                <Text size="xs" c="dimmed">
                  {app_name ?? app_id}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge variant="light" tt="none" color={COLORS[state]}>
                  {reply.undo_until === null ? REPLY_STATE_NAMES[state] : answerTexts.waiting}
                </Badge>
              </Table.Td>
              <Table.Td maw={420}>
                <Text size="sm" lineClamp={2} className="untrusted-text">
                  {text}
                </Text>
                {reply.problem !== null && (
                  <Text size="sm" c="red">
                    {reply.problem}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Section>
  )
}

function summaryOf({ replies: all }: ReplyBatch): string {
  const waiting = all.filter(({ state }) => state === 'pending').length
  const refused = all.filter(({ state }) => state === 'refused').length
  return receiptTexts.about(all.length - waiting - refused, waiting, refused)
}
