import { UNDO_SECONDS } from '../../src/model/input-limits.ts'
import { counted, number } from '../util/numbers.ts'

/** Texts of answering in lists: the queue of reviews to answer, and answers to several reviews at once. */

const undoTime = counted(UNDO_SECONDS.person, 'second')

export const answerTexts = {
  answer: 'Answer',
  continueDraft: 'Continue draft',
  view: 'View answer',
  close: 'Close',
  waiting: `Sent in ${undoTime} or less`,
  undone: 'Answer undone. Its text is kept as a draft.',
  willBeSent: `The answer will be sent in ${undoTime}.`,
} as const

export const queueTexts = {
  title: 'To answer',
  open: (count: string) => `To answer (${count})`,
  about:
    'Reviews of the last 30 days that you can answer and that have no answer, a refused one, or one from before an edit: fewest stars first, then newest.',
  back: 'Back to reviews',
  more: (count: number) => `more than ${number(count)}`,
  position: (place: number, count: string) => `${number(place)} of ${count}`,
  waiting: (count: string) => `${count} to answer`,
  previous: 'Previous',
  next: 'Next',
  emptyTitle: 'Nothing to answer',
  emptyNote: 'New reviews of apps with a store connection appear here until they have an answer.',
  viewStores: 'View stores',
} as const

export const bulkAnswerTexts = {
  open: 'Answer with a template',
  title: (count: number) => `Answer ${counted(count, 'review')}`,
  template: 'Template',
  choose: 'Choose a template',
  none: 'There are no templates yet.',
  create: 'Create a template',
  preview: 'Preview',
  leftOut: 'Left out',
  note: `Everyone sees the answers in the store, and the reviewers are notified. Nothing is sent for ${undoTime}.`,
  publish: (count: number) => `Publish ${counted(count, 'answer')}`,
  willBeSent: (count: number) => `${counted(count, 'answer')} will be sent in ${undoTime}.`,
  failed: (count: number, reason: string) => `${number(count)} could not be answered: ${reason}`,
  undone: (count: number) => `${counted(count, 'answer')} undone. The texts are kept as drafts.`,
  tooLate: (count: number) => `${counted(count, 'answer')} could not be undone any more.`,
  notUndone: 'Not undone',
  noneSent: 'No answers will be sent',
  receipt: 'View receipt',
} as const

export const receiptTexts = {
  title: 'Receipt',
  about: (sent: number, waiting: number, refused: number) =>
    `${number(sent)} sent, ${number(waiting)} not sent yet, ${number(refused)} refused`,
  none: 'All of these answers were undone or replaced.',
  undoAll: 'Undo all',
  close: 'Close receipt',
  review: 'Review',
  state: 'State',
  answer: 'Answer',
} as const
