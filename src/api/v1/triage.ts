import type { Routes } from '../../contract/routes.ts'
import type { TriageBody } from '../../contract/v1/triage.ts'
import type { NoteRow, TriageDetail, TriageRow } from '../../contract/v1/triage-view.ts'
import type { Operations } from '../../operations/operations.ts'
import type { Triage, TriageChange, TriageNote, TriageUndo } from '../../operations/reviews/triage.ts'
import { ApiError } from '../errors.ts'
import { type Caller, isMember, nameOf, type Route } from '../route.ts'
import { apiRoute } from './route.ts'

export type TriageRouteDeps = { readonly operations: Pick<Operations, 'triage'> }

export function triageRoutes(table: Routes, { operations: { triage } }: TriageRouteDeps) {
  return {
    triage_review: apiRoute(table.triage_review, async ({ caller, param, body }) => {
      const now = await triage.change(caller.accountId, param('fingerprint'), changeOf(body, caller))
      return presentTriageDetail(now, await triage.assigneesOf([now]))
    }),

    triage_reviews: apiRoute(table.triage_reviews, async ({ caller, body }) => {
      const changes = body.reviews.map(({ fingerprint, ...change }) => ({
        fingerprint,
        ...changeOf(change, caller),
      }))
      const { undo, failed } = await triage.changeSeveral(caller.accountId, changes)
      return { changed: undo.length, undo: undo.map(presentUndo), failed }
    }),

    add_review_note: apiRoute(table.add_review_note, async ({ caller, param, body }) => {
      const author = { id: isMember(caller) ? caller.user.id : null, name: nameOf(caller) }
      return presentNote(await triage.addNote(caller.accountId, param('fingerprint'), body.text, author))
    }),

    delete_review_note: apiRoute(table.delete_review_note, async ({ caller, param }) => {
      const onlyOf = isMember(caller) && caller.role !== 'owner' ? caller.user.id : undefined
      await triage.removeNote(caller.accountId, param('fingerprint'), param('note_id'), onlyOf)
      return undefined
    }),
  } as const satisfies Record<string, Route>
}

function changeOf({ add_tags, remove_tags, assignee, ...rest }: TriageBody, caller: Caller): TriageChange {
  return {
    ...rest,
    addTags: add_tags,
    removeTags: remove_tags,
    assignee: assignee == null ? assignee : userOf(assignee, caller),
  }
}

function presentUndo({ fingerprint, status, assignee, addTags, removeTags }: TriageUndo) {
  return {
    fingerprint,
    ...(status !== undefined && { status }),
    ...(assignee !== undefined && { assignee }),
    ...(addTags !== undefined && { add_tags: [...addTags] }),
    ...(removeTags !== undefined && { remove_tags: [...removeTags] }),
  }
}

/** A user by id, or `me`. Throws for `me` of a program, which is no member. */
export function userOf(assignee: string, caller: Caller): string {
  if (assignee !== 'me') return assignee
  if (isMember(caller)) return caller.user.id
  throw new ApiError('invalid', 'assignee "me" requires a signed-in user; a token is no member. Use an id.')
}

export function presentTriage(
  { status, assignee, tags, notes }: Triage,
  names: ReadonlyMap<string, string>,
): TriageRow {
  const name = assignee === null ? undefined : names.get(assignee)
  return {
    status,
    // A user may have been deleted a moment ago.
    assignee: assignee === null || name === undefined ? null : { id: assignee, name },
    tags: [...tags],
    note_count: notes.length,
  }
}

export function presentTriageDetail(triage: Triage, names: ReadonlyMap<string, string>): TriageDetail {
  return { ...presentTriage(triage, names), notes: triage.notes.map(presentNote) }
}

function presentNote({ id, text, author, authorId, atMs }: TriageNote): NoteRow {
  return { id, text, author, author_id: authorId, created_at: new Date(atMs).toISOString() }
}
