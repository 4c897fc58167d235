import { Badge } from '@mantine/core'
import { ANSWER_STATE_NAMES } from '../../../src/contract/console/display-names.ts'
import type { AnswerState } from '../../../src/model/reply.ts'

const COLORS: Readonly<Record<AnswerState, string>> = {
  unanswered: 'gray',
  draft: 'yellow',
  pending: 'blue',
  published: 'teal',
  refused: 'red',
  edited: 'orange',
}

/** The state of the answer to a review in a list; nothing for most reviews, which have none. */
export function AnswerBadge({ state }: { readonly state: AnswerState }) {
  if (state === 'unanswered') return null
  return (
    <Badge color={COLORS[state]} variant="light" tt="none">
      {ANSWER_STATE_NAMES[state]}
    </Badge>
  )
}
