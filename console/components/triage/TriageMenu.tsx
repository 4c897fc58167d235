import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import type { TriageBody } from '../../../src/contract/v1/triage.ts'
import { TRIAGE_STATUSES } from '../../../src/model/triage.ts'
import { useTriage } from '../../data/triage.ts'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'
import { notifyFailed } from '../../ui/confirm.tsx'
import { AssigneeItems } from './AssigneeItems.tsx'

/** Status and assignee of a review in a list. Tags and notes are on its page. */
export function TriageMenu({ review }: { readonly review: ReviewRow }) {
  const { change } = useTriage()
  const { status } = review.triage
  const set = (body: TriageBody) => void change(review.fingerprint, body).catch(notifyFailed)
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant={status === 'new' ? 'default' : 'light'}
          color={status === 'done' ? 'teal' : 'gray'}
          fw={500}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          aria-label={triageTexts.open(TRIAGE_STATUS_NAMES[status])}
        >
          {TRIAGE_STATUS_NAMES[status]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{triageTexts.status}</Menu.Label>
        {TRIAGE_STATUSES.filter((each) => each !== status).map((each) => (
          <Menu.Item key={each} onClick={() => set({ status: each })}>
            {TRIAGE_STATUS_NAMES[each]}
          </Menu.Item>
        ))}
        <AssigneeItems onChoose={(assignee) => set({ assignee })} />
      </Menu.Dropdown>
    </Menu>
  )
}
