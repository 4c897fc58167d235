import type { ReactNode } from 'react'
import { counted } from '../util/numbers.ts'

/** Texts of the status, the assignee, the tags and the notes of reviews. */

export const TRIAGE_STATUS_NAMES = { new: 'New', seen: 'Seen', done: 'Done' } as const

export const triageTexts = {
  title: 'Triage',
  about: 'Only your account sees it. Events and exports have none of it.',
  open: (status: string) => `Triage: ${status}`,
  status: 'Status',
  assignee: 'Assignee',
  assignedTo: (name: string) => `Assigned to ${name}`,
  assign: 'Assign to',
  toMe: 'Me',
  toNobody: 'Nobody',
  tag: 'Tag',
  tags: 'Tags',
  tagsNote: 'Enter or a comma adds a tag',
  addTag: 'Add tag',
  tagPlaceholder: 'A tag, such as billing',
  markSeen: 'Mark seen',
  markDone: 'Mark done',
  changed: (count: number, what: string) => `${counted(count, 'review')}: ${what}`,
  unchanged: 'Nothing changed: the reviews had these values already.',
  missing: (count: number) =>
    `${counted(count, 'selected review')} ${count === 1 ? 'is' : 'are'} no longer in this account.`,
  undone: (count: number) => `Undone for ${counted(count, 'review')}`,
  tagged: (tag: string) => `tagged ${tag}`,
  marked: (status: string) => `marked ${status.toLowerCase()}`,
  assignedShort: (name: string) => `assigned to ${name}`,
  unassigned: 'assigned to nobody',
  loadingMembers: 'Loading members',
  notesOf: (count: number) => counted(count, 'note'),
  noNotes: 'No notes yet',
  note: 'New note',
  addNote: 'Add note',
  deleteNote: 'Delete note',
  deleteNoteTitle: 'Delete this note?',
  deleteNoteBody: 'It cannot be restored.',
  written: (author: string, at: ReactNode) => (
    <>
      {author} · {at}
    </>
  ),
} as const
