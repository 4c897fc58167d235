import { newId } from '../../model/ids.ts'
import { NO_REVIEW } from '../../model/review.ts'
import {
  NOTE_CHARS_MAX,
  NOTES_MAX,
  normalizedTag,
  TAG_ALLOWED,
  TAGS_MAX,
  type Triage,
  type TriageChange,
  type TriageNote,
  undoOf,
} from '../../model/triage.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { RefusedTriage, TriageStorage } from '../../storage/port/triage.ts'
import type { UserStore } from '../accounts/users.ts'
import { OperationError } from '../error.ts'
import { requireText } from '../require-text.ts'
import { noReview } from './require-review.ts'

export type { Triage, TriageChange, TriageNote }

export type TriageUndo = TriageChange & { readonly fingerprint: string }

export type TriageDeps = {
  readonly triage: TriageStorage
  readonly users: () => Promise<Pick<UserStore, 'users'>>
  readonly clock: Clock
}

/** Who writes a note: a user, or a program without an id. */
export type NoteAuthor = { readonly id: string | null; readonly name: string }

/** What the members of an account note about reviews. */
export function triageOperations({ triage, users, clock }: TriageDeps) {
  return {
    /** Throws `not_found`, also for the assignee, and `invalid` for a tag. */
    async change(accountId: string, fingerprint: string, given: TriageChange): Promise<Triage> {
      const [result] = await triage.change(accountId, [normalized({ fingerprint, ...given })], TAGS_MAX)
      if (result === undefined) throw noReview()
      if (!('refused' in result)) return result.now
      if (result.refused === 'no_member')
        throw new OperationError('not_found', 'must be a member of the account.', { field: 'assignee' })
      throw new OperationError('invalid', `must be at most ${TAGS_MAX} for a review.`, { field: 'tags' })
    },

    /** `undo` has a change for each review that is different now. Throws `invalid` for a tag, and then changes none. */
    async changeSeveral(
      accountId: string,
      changes: readonly (TriageChange & { readonly fingerprint: string })[],
    ): Promise<{
      readonly undo: readonly TriageUndo[]
      readonly failed: { readonly id: string; readonly reason: string }[]
    }> {
      const results = await triage.change(accountId, changes.map(normalized), TAGS_MAX)
      const undo = results.flatMap((result) =>
        'refused' in result ? [] : { fingerprint: result.fingerprint, ...undoOf(result.before, result.now) },
      )
      const byFingerprint = new Map(results.map((result) => [result.fingerprint, result]))
      return {
        undo: undo.filter((each) => Object.keys(each).length > 1),
        failed: [...new Set(changes.map(({ fingerprint }) => fingerprint))].flatMap((id) => {
          const result = byFingerprint.get(id)
          if (result === undefined) return { id, reason: NO_REVIEW }
          return 'refused' in result ? { id, reason: REFUSED[result.refused] } : []
        }),
      }
    },

    /** Throws `invalid`, `not_found`, and `conflict` above `NOTES_MAX`. */
    async addNote(accountId: string, fingerprint: string, text: string, by: NoteAuthor): Promise<TriageNote> {
      const note = {
        id: newId('not'),
        text: requireText('text', text, NOTE_CHARS_MAX),
        authorId: by.id,
        author: by.name,
        atMs: clock.now().getTime(),
      }
      if (!(await triage.addNote(accountId, fingerprint, note, NOTES_MAX))) throw noReview()
      return note
    },

    /** `authorId`: of a member who may delete only their own. Throws `not_found`, and `forbidden` for a note by somebody else. */
    async removeNote(
      accountId: string,
      fingerprint: string,
      noteId: string,
      authorId: string | undefined,
    ): Promise<void> {
      const result = await triage.removeNote(accountId, fingerprint, noteId, authorId)
      if (result === 'missing') throw new OperationError('not_found', 'The review has no note with this id.')
      if (result === 'not_author') {
        throw new OperationError('forbidden', 'Only its author or an owner of the account may delete a note.')
      }
    },

    /** The names of the assignees, by their id. */
    async assigneesOf(given: readonly Pick<Triage, 'assignee'>[]): Promise<ReadonlyMap<string, string>> {
      const ids = [...new Set(given.flatMap(({ assignee }) => assignee ?? []))]
      if (ids.length === 0) return new Map()
      return new Map((await (await users()).users(ids)).map(({ id, name }) => [id, name]))
    },
  }
}

const REFUSED: Readonly<Record<RefusedTriage['refused'], string>> = {
  no_member: 'The assignee is not a member of the account.',
  too_many_tags: `The review would have more than ${TAGS_MAX} tags.`,
}

/** A tag of a filter. Throws `invalid`. */
export function requireTag(field: string, text: string): string {
  const tag = normalizedTag(text)
  if (tag !== null) return tag
  throw new OperationError('invalid', `must be ${TAG_ALLOWED}.`, { field })
}

function normalized<C extends TriageChange>(change: C): C {
  const tagsOf = (field: 'tags' | 'addTags' | 'removeTags') =>
    change[field]?.map((tag) => requireTag(field, tag))
  return { ...change, tags: tagsOf('tags'), addTags: tagsOf('addTags'), removeTags: tagsOf('removeTags') }
}
