import { Badge } from '@mantine/core'
import { IconCheck, IconEye, IconNote, IconTag, IconUser } from '@tabler/icons-react'
import type { TriageRow } from '../../../src/contract/v1/triage-view.ts'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'

/** What somebody noted about a review; nothing for an untouched one. `withStatus`: no menu shows the status. */
export function TriageBadges({
  triage,
  withStatus,
}: {
  readonly triage: TriageRow
  readonly withStatus: boolean
}) {
  const { status, assignee, tags, note_count: notes } = triage
  return (
    <>
      {withStatus && status !== 'new' && (
        <Badge
          variant="light"
          color={status === 'done' ? 'teal' : 'gray'}
          tt="none"
          leftSection={
            status === 'done' ? <IconCheck size={12} aria-hidden /> : <IconEye size={12} aria-hidden />
          }
        >
          {TRIAGE_STATUS_NAMES[status]}
        </Badge>
      )}
      {assignee !== null && (
        <Badge
          variant="light"
          color="indigo"
          tt="none"
          leftSection={<IconUser size={12} aria-hidden />}
          aria-label={triageTexts.assignedTo(assignee.name)}
        >
          {assignee.name}
        </Badge>
      )}
      {tags.map((tag) => (
        <Badge key={tag} variant="default" tt="none" fw={500} leftSection={<IconTag size={12} aria-hidden />}>
          {tag}
        </Badge>
      ))}
      {notes > 0 && (
        <Badge variant="default" tt="none" fw={500} leftSection={<IconNote size={12} aria-hidden />}>
          {triageTexts.notesOf(notes)}
        </Badge>
      )}
    </>
  )
}
