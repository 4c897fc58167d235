import { newId } from '../../model/ids.ts'
import {
  NOTE_CHARS_MAX,
  NOTES_MAX,
  normalizedTag,
  TAG_ALLOWED,
  TAGS_MAX,
  type Triage,
  type TriageChange,
  type TriageNote,
} from '../../model/triage.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { TriagedReview, TriageStorage } from '../../storage/port/triage.ts'
import type { UserStore } from '../accounts/users.ts'
import { OperationError } from '../error.ts'

export type { Triage, TriageChange, TriagedReview, TriageNote }

export type TriageDeps = {
  readonly triage: TriageStorage
  readonly users: () => Promise<Pick<UserStore, 'users'>>
  readonly clock: Clock
}

/** Who writes a note: a user, or a program without an id. */
export type NoteAuthor = { readonly id: string | null; readonly name: string }

/** What the members of an account note about reviews. */
export function triageOperations({ triage, users, clock }: TriageDeps) {
  const change = async (
    accountId: string,
    changes: readonly (TriageChange & { readonly fingerprint: string })[],
  ): Promise<readonly TriagedReview[]> => {
    const result = await triage.change(accountId, changes.map(normalized), TAGS_MAX)
    if (result === 'no_member') {
      throw new OperationError('not_found', 'must be a member of the account.', { field: 'assignee' })
    }
    if (result === 'too_many_tags') {
      throw new OperationError('invalid', `must be at most ${TAGS_MAX} for a review.`, { field: 'tags' })
    }
    return result
  }

  return {
    /** Throws `not_found`, also for the assignee, and `invalid` for a tag. */
    async change(accountId: string, fingerprint: string, given: TriageChange): Promise<Triage> {
      const [changed] = await change(accountId, [{ fingerprint, ...given }])
      if (changed === undefined) throw noReview()
      return changed.now
    },

    /** Those that are different now. Ignores reviews that the account does not see. Throws as `change`, and then changes none. */
    async changeSeveral(
      accountId: string,
      changes: readonly (TriageChange & { readonly fingerprint: string })[],
    ): Promise<readonly TriagedReview[]> {
      const found = await change(accountId, changes)
      return found.filter(({ before, now }) => JSON.stringify(before) !== JSON.stringify(now))
    },

    /** Throws `invalid`, `not_found`, and `conflict` above `NOTES_MAX`. */
    async addNote(accountId: string, fingerprint: string, text: string, by: NoteAuthor): Promise<TriageNote> {
      const note = {
        id: newId('not'),
        text: requireNote(text),
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

function requireNote(given: string): string {
  const text = given.trim()
  const chars = [...text].length
  if (chars === 0 || chars > NOTE_CHARS_MAX) {
    throw new OperationError('invalid', `must have 1 to ${NOTE_CHARS_MAX} characters; it has ${chars}.`, {
      field: 'text',
    })
  }
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new OperationError('invalid', 'must not have NUL or lone surrogates.', { field: 'text' })
  }
  return text
}

function noReview(): OperationError {
  return new OperationError('not_found', 'The account has no review with this fingerprint.')
}
