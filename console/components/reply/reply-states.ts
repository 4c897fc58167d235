import type { ReplyState } from '../../../src/model/reply.ts'
import { replyTexts } from '../../messages/replies.ts'

export const REPLY_STATE_NAMES: Readonly<Record<ReplyState, string>> = {
  draft: replyTexts.draft,
  pending: replyTexts.pending,
  sent: replyTexts.sent,
  published: replyTexts.published,
  refused: replyTexts.refused,
  deleting: replyTexts.deleting,
  deleted: replyTexts.deleted,
}

export const REPLY_STATE_COLORS: Readonly<Record<ReplyState, string>> = {
  draft: 'gray',
  pending: 'blue',
  sent: 'blue',
  published: 'teal',
  refused: 'red',
  deleting: 'orange',
  deleted: 'gray',
}
