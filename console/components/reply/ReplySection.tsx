import { Alert, Badge, Blockquote, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyRow } from '../../../src/contract/v1/replies.ts'
import { replies, replyQuery } from '../../data/replies.ts'
import { ReplyForm } from '../../forms/ReplyForm.tsx'
import { replyTexts } from '../../messages/replies.ts'
import { confirmDestructive, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { useMayChange } from '../MayChange.tsx'
import { NextAttempt } from '../NextAttempt.tsx'

/** The answer to a review: what the store shows, what is under way, and a form to write or replace it. */
export function ReplySection({ fingerprint }: { readonly fingerprint: string }) {
  const panel = useQuery(replyQuery(fingerprint))
  return (
    <Section title={replyTexts.title}>
      {panel.isPending && <LoadingLines lines={2} />}
      {panel.isError && <Failed error={panel.error} onRetry={() => panel.refetch()} />}
      {panel.data !== undefined && <Answer fingerprint={fingerprint} reply={panel.data} />}
    </Section>
  )
}

function Answer({ fingerprint, reply }: { readonly fingerprint: string; readonly reply: ReplyRow }) {
  const { state, problem, obstacle } = reply
  const canAnswer = useMayChange() && obstacle === null
  const [isEditing, setEditing] = useState(false)
  const queryClient = useQueryClient()
  const store = (changed: ReplyRow) => queryClient.setQueryData(replyQuery(fingerprint).queryKey, changed)
  const shown = reply.shown_text
  const wanted = STATES[state].isUnderWay ? reply.text : null
  // Something keeps a request back, such as the quota of the store.
  const isHeld = state === 'pending' && problem !== null
  const isWritten = shown !== null || wanted !== null
  const remove = () =>
    confirmDestructive({
      title: replyTexts.deleteTitle,
      consequence: replyTexts.deleteNote,
      verb: replyTexts.delete,
      onConfirm: () => replies.remove(fingerprint).then(store, notifyFailed),
    })
  return (
    <Stack>
      {state !== 'none' && state !== 'draft' && (
        <Group gap="xs">
          <Badge color={isHeld ? 'yellow' : STATES[state].color} variant="light" tt="none">
            {isHeld ? replyTexts.held : STATES[state].name}
          </Badge>
          <Text size="sm" c="dimmed">
            {reply.author === null ? replyTexts.otherTool : replyTexts.by(reply.author)} ·{' '}
            {reply.updated_at !== null && <Instant at={reply.updated_at} />}
          </Text>
        </Group>
      )}
      {problem !== null && (
        <Alert
          color={state === 'refused' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle aria-hidden />}
          role="alert"
        >
          {problem}
          {isHeld && reply.next_attempt_at !== null && (
            <Text size="sm">
              <NextAttempt at={reply.next_attempt_at} />
            </Text>
          )}
        </Alert>
      )}
      {wanted !== null && wanted !== shown && <Quoted label={replyTexts.willBePublished} text={wanted} />}
      {shown !== null && <Quoted label={replyTexts.inStore} text={shown} />}
      {obstacle !== null && (
        <Text c="dimmed">
          {obstacle}{' '}
          <AnchorLink to="/stores" underline="always">
            {replyTexts.toStores}
          </AnchorLink>
        </Text>
      )}
      {canAnswer && (isEditing || !isWritten || state === 'refused') && (
        <ReplyForm
          fingerprint={fingerprint}
          reply={reply}
          onChanged={(changed, isDone) => {
            store(changed)
            if (isDone) setEditing(false)
          }}
        />
      )}
      {canAnswer && isWritten && !isEditing && state !== 'refused' && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            {replyTexts.edit}
          </Button>
          {reply.can_delete && shown !== null && state !== 'deleting' && (
            <Button size="xs" variant="subtle" color="red" onClick={remove}>
              {replyTexts.deleteAnswer}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

function Quoted({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <Blockquote p="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Blockquote>
    </div>
  )
}

const STATES = {
  none: { name: '', color: 'gray', isUnderWay: false },
  draft: { name: replyTexts.draft, color: 'gray', isUnderWay: false },
  pending: { name: replyTexts.pending, color: 'blue', isUnderWay: true },
  sent: { name: replyTexts.sent, color: 'blue', isUnderWay: true },
  published: { name: replyTexts.published, color: 'teal', isUnderWay: false },
  refused: { name: replyTexts.refused, color: 'red', isUnderWay: false },
  deleting: { name: replyTexts.deleting, color: 'orange', isUnderWay: false },
  deleted: { name: replyTexts.deleted, color: 'gray', isUnderWay: false },
} as const
