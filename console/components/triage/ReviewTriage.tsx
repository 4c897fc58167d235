import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import { useMayChange } from '../MayChange.tsx'
import { TriageBadges } from './TriageBadges.tsx'
import { TriageMenu } from './TriageMenu.tsx'

/** What a team noted about a review in a list, and the menu that changes it. */
export function ReviewTriage({ review }: { readonly review: ReviewRow }) {
  const mayChange = useMayChange()
  return (
    <>
      {mayChange && <TriageMenu review={review} />}
      <TriageBadges triage={review.triage} withStatus={!mayChange} />
    </>
  )
}
