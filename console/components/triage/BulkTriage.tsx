import { Button, Menu, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TAG_CHARS_MAX } from '../../../src/model/triage.ts'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'
import { useReviewSelection } from '../review-selection/selection.tsx'
import { AssigneeItems } from './AssigneeItems.tsx'
import { useBulkTriage } from './use-bulk-triage.tsx'

/** Status, assignee and a tag for the selected reviews. */
export function BulkTriage() {
  const rows = useReviewSelection()?.rows ?? []
  const triage = useBulkTriage()
  const mark = (status: 'seen' | 'done') =>
    void triage(rows, { status }, triageTexts.marked(TRIAGE_STATUS_NAMES[status]))
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => mark('seen')}>
        {triageTexts.markSeen}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => mark('done')}>
        {triageTexts.markDone}
      </Button>
      <Menu position="top">
        <Menu.Target>
          <Button size="compact-sm" variant="default">
            {triageTexts.assign}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <AssigneeItems
            onChoose={(assignee, name) =>
              void triage(
                rows,
                { assignee },
                assignee === null ? triageTexts.unassigned : triageTexts.assignedShort(name),
              )
            }
          />
        </Menu.Dropdown>
      </Menu>
      <TagField onTag={(tag) => void triage(rows, { add_tags: [tag] }, triageTexts.tagged(tag))} />
    </>
  )
}

function TagField({ onTag }: { readonly onTag: (tag: string) => void }) {
  const [tag, setTag] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (tag.trim() === '') return
        onTag(tag.trim())
        setTag('')
      }}
    >
      <TextInput
        size="xs"
        w={150}
        aria-label={triageTexts.addTag}
        placeholder={triageTexts.addTag}
        maxLength={TAG_CHARS_MAX}
        value={tag}
        onChange={(event) => setTag(event.currentTarget.value)}
      />
    </form>
  )
}
