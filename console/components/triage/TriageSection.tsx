import { Button, Group, SegmentedControl, Select, Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import type { ReviewDetail } from '../../../src/contract/v1/reviews.ts'
import type { TriageBody } from '../../../src/contract/v1/triage.ts'
import type { NoteRow } from '../../../src/contract/v1/triage-view.ts'
import {
  NOTE_CHARS_MAX,
  normalizedTag,
  TAG_CHARS_MAX,
  TAGS_MAX,
  TRIAGE_STATUSES,
} from '../../../src/model/triage.ts'
import { membersQuery } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { useTriage } from '../../data/triage.ts'
import { setTypedText, useTypedText } from '../../data/typed-texts.ts'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'
import { confirmDestructive, notifyFailed } from '../../ui/confirm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { Section } from '../../ui/Section.tsx'
import { useMayChange } from '../MayChange.tsx'

const STATUS_OPTIONS = TRIAGE_STATUSES.map((value) => ({ value, label: TRIAGE_STATUS_NAMES[value] }))

/** What the members of the account note about a review. Each change is stored at once. */
export function TriageSection({ review }: { readonly review: ReviewDetail }) {
  const { status, assignee, tags, notes } = review.triage
  const { change } = useTriage()
  const mayChange = useMayChange()
  const members = useQuery(membersQuery)
  const set = (body: TriageBody) => void change(review.fingerprint, body).catch(notifyFailed)
  const known = members.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []
  const assignees =
    assignee === null || known.some(({ value }) => value === assignee.id)
      ? known
      : [...known, { value: assignee.id, label: assignee.name }]
  return (
    <Section title={triageTexts.title} about={triageTexts.about}>
      <Stack>
        <Group align="flex-start">
          <SegmentedControl
            aria-label={triageTexts.status}
            disabled={!mayChange}
            data={STATUS_OPTIONS}
            value={status}
            onChange={(value) => set({ status: TRIAGE_STATUSES.find((each) => each === value) })}
          />
          <Select
            aria-label={triageTexts.assignee}
            disabled={!mayChange}
            placeholder={triageTexts.toNobody}
            data={assignees}
            value={assignee?.id ?? null}
            onChange={(id) => set({ assignee: id })}
            clearable
            searchable={assignees.length > 8}
            w={200}
          />
          <TagsInput
            aria-label={triageTexts.tags}
            disabled={!mayChange}
            placeholder={tags.length > 0 ? '' : mayChange ? triageTexts.tagPlaceholder : triageTexts.noTags}
            description={mayChange ? triageTexts.tagsNote : undefined}
            inputWrapperOrder={['input', 'description']}
            value={[...tags]}
            onChange={(next) => set(changeOfTags(tags, next))}
            maxTags={TAGS_MAX}
            maxLength={TAG_CHARS_MAX}
            isDuplicate={(value, current) => current.includes(normalizedTag(value) ?? '')}
            flex="1 1 240px"
          />
        </Group>
        <Notes fingerprint={review.fingerprint} notes={notes} />
      </Stack>
    </Section>
  )
}

/** Only the difference, so that a tag that a colleague adds meanwhile stays. */
function changeOfTags(tags: readonly string[], next: readonly string[]): TriageBody {
  const added = next.filter((tag) => !tags.includes(tag))
  const removed = tags.filter((tag) => !next.includes(tag))
  return {
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
  }
}

function Notes({ fingerprint, notes }: { readonly fingerprint: string; readonly notes: readonly NoteRow[] }) {
  const { role, user } = useSession()
  const mayChange = useMayChange()
  const { addNote, deleteNote } = useTriage()
  const draft = `note/${fingerprint}`
  const text = useTypedText(draft)
  const add = useMutation({
    mutationKey: [draft],
    mutationFn: () => addNote(fingerprint, text),
    onSuccess: () => setTypedText(draft, ''),
    onError: notifyFailed,
  })
  // Also by the field that was closed meanwhile.
  const isSaving = useIsMutating({ mutationKey: [draft] }) > 0
  const remove = (note: NoteRow) =>
    confirmDestructive({
      title: triageTexts.deleteNoteTitle,
      consequence: triageTexts.deleteNoteBody,
      verb: triageTexts.deleteNote,
      onConfirm: () => void deleteNote(fingerprint, note.id).catch(notifyFailed),
    })
  return (
    <Stack gap="xs">
      {notes.map((note) => (
        <div key={note.id}>
          <Text className="untrusted-text" dir="auto">
            {note.text}
          </Text>
          <Group gap="xs">
            <Text size="xs" c="dimmed">
              {triageTexts.written(note.author, <Instant at={note.created_at} />)}
            </Text>
            {(role === 'owner' || (mayChange && note.author_id === user?.id)) && (
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => remove(note)}>
                {triageTexts.deleteNote}
              </Button>
            )}
          </Group>
        </div>
      ))}
      {!mayChange && notes.length === 0 && (
        <Text size="sm" c="dimmed">
          {triageTexts.noNotes}
        </Text>
      )}
      {mayChange && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate()
          }}
        >
          <Group align="flex-end">
            <Textarea
              aria-label={triageTexts.note}
              placeholder={notes.length === 0 ? triageTexts.noNotes : triageTexts.note}
              autosize
              minRows={1}
              maxRows={8}
              maxLength={NOTE_CHARS_MAX}
              value={text}
              readOnly={isSaving}
              onChange={(event) => setTypedText(draft, event.currentTarget.value)}
              flex="1 1 260px"
            />
            <Button type="submit" variant="default" loading={isSaving} disabled={text.trim() === ''}>
              {triageTexts.addNote}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  )
}
