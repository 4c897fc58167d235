import type { ReactNode } from 'react'
import { counted } from '../util/numbers.ts'

/** Texts of the status, the assignee, the tags and the notes of reviews. */

export const TRIAGE_STATUS_NAMES = { new: 'New', seen: 'Seen', done: 'Done' } as const

export const triageTexts = {
  title: 'Triage',
  about: 'Only members of this account see it. Events and exports do not include it.',
  open: (status: string) => `Triage: ${status}`,
  status: 'Status',
  assignee: 'Assignee',
  assignedTo: (name: string) => `Assigned to ${name}`,
  assign: 'Assign to',
  toMe: 'Me',
  toNobody: 'Nobody',
  tag: 'Tag',
  tags: 'Tags',
  tagsNote: 'Press Enter or a comma to add a tag',
  addTag: 'Add tag',
  tagPlaceholder: 'A tag, such as billing',
  noTags: 'No tags',
  markSeen: 'Mark seen',
  markDone: 'Mark done',
  changed: (count: number, what: string) => `${counted(count, 'review')} ${what}`,
  unchanged: 'Nothing changed: the reviews already have these values.',
  notChanged: 'Not changed',
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
  deleteNoteBody: 'This cannot be undone.',
  written: (author: string, at: ReactNode) => (
    <>
      {author} · {at}
    </>
  ),
} as const
