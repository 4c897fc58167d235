import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TAG_CHARS_MAX } from '../../../src/model/triage.ts'
import { membersQuery } from '../../data/account.ts'
import type { ReviewSearch } from '../../data/search.ts'
import { triageTexts } from '../../messages/triage.tsx'
import type { FilterEditorProps } from '../../ui/FilterChips.tsx'
import { OptionList } from '../../ui/OptionList.tsx'

type Props = FilterEditorProps<ReviewSearch>

/** The signed-in user, nobody, or a member. */
export function AssigneeEditor({ label, filters: { assignee }, setFilters, close }: Props) {
  const members = useQuery(membersQuery)
  const others = (members.data ?? []).filter(({ you }) => !you)
  return (
    <OptionList
      label={label}
      options={[
        { value: 'me', label: triageTexts.toMe },
        { value: 'nobody', label: triageTexts.toNobody },
        ...others.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      query={members}
      value={assignee}
      onChoose={(value) => {
        setFilters({ assignee: value })
        close()
      }}
    />
  )
}

/** A tag, applied on Enter. */
export function TagEditor({ label, filters: { tag }, setFilters, close }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const typed = String(new FormData(event.currentTarget).get('tag') ?? '').trim()
        setFilters({ tag: typed === '' ? undefined : typed })
        close()
      }}
    >
      <TextInput
        name="tag"
        aria-label={label}
        placeholder={triageTexts.tagPlaceholder}
        defaultValue={tag ?? ''}
        maxLength={TAG_CHARS_MAX}
        size="sm"
        data-autofocus
      />
    </form>
  )
}
