import { Alert, Badge, Blockquote, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ReplyRow } from '../../../src/contract/v1/replies.ts'
import { replies, storeReply } from '../../data/replies.ts'
import { answerTexts } from '../../messages/answers.ts'
import { replyTexts } from '../../messages/replies.ts'
import { confirmDestructive, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AnchorLink } from '../../ui/links.tsx'
import { useMayChange } from '../MayChange.tsx'
import { NextAttempt } from '../NextAttempt.tsx'
import { REPLY_STATE_COLORS, REPLY_STATE_NAMES } from './reply-states.ts'
import { notifyWillBeSent, UndoButton, undoAnswer } from './undo.tsx'

const ReplyForm = lazy(async () => ({ default: (await import('../../forms/ReplyForm.tsx')).ReplyForm }))

/** What the store shows, what is under way, and a form to write or replace it. */
export function Answer({
  fingerprint,
  reply,
  autoFocus = false,
  onPublished,
}: {
  readonly fingerprint: string
  readonly reply: ReplyRow
  readonly autoFocus?: boolean
  readonly onPublished?: () => void
}) {
  const { state, problem, obstacle } = reply
  const canAnswer = useMayChange() && obstacle === null
  const [isEditing, setEditing] = useState(false)
  const queryClient = useQueryClient()
  const store = (changed: ReplyRow) => storeReply(queryClient, fingerprint, changed)
  const shown = reply.shown_text
  const wanted = state === 'pending' || state === 'sent' ? reply.text : null
  // Something keeps a request back, such as the quota of the store.
  const isHeld = state === 'pending' && problem !== null
  const isWaiting = state === 'pending' && reply.undo_until !== null
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
          <Badge color={isHeld ? 'yellow' : REPLY_STATE_COLORS[state]} variant="light" tt="none">
            {isWaiting ? answerTexts.waiting : isHeld ? replyTexts.held : REPLY_STATE_NAMES[state]}
          </Badge>
          <Text size="sm" c="dimmed">
            {reply.author === null ? replyTexts.otherTool : replyTexts.by(reply.author)} ·{' '}
            {reply.updated_at !== null && <Instant at={reply.updated_at} />}
          </Text>
          {isWaiting && <UndoButton fingerprint={fingerprint} />}
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
        <Suspense>
          <ReplyForm
            fingerprint={fingerprint}
            reply={reply}
            autoFocus={autoFocus || isEditing}
            onPublished={(changed) => {
              store(changed)
              setEditing(false)
              if (changed.undo_until !== null) {
                notifyWillBeSent({
                  id: fingerprint,
                  message: answerTexts.willBeSent,
                  onUndo: () => void undoAnswer(queryClient, fingerprint),
                })
              }
              onPublished?.()
            }}
          />
        </Suspense>
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
