import { Alert } from '@mantine/core'
import { reviewFilterTexts, viewTexts } from '../messages/reviews.tsx'
import { triageTexts } from '../messages/triage.tsx'

/** Names the filters of a view that its subscription does not have. */
export function DroppedFilters({ parameters }: { readonly parameters: readonly string[] }) {
  if (parameters.length === 0) return null
  const names = [...new Set(parameters.map((name) => NAMES[name] ?? name))]
  return (
    <Alert color="yellow" variant="light">
      {viewTexts.dropped(names)}
    </Alert>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  store: reviewFilterTexts.store,
  app_id: reviewFilterTexts.app,
  stars: reviewFilterTexts.stars,
  feature_slug: reviewFilterTexts.feature,
  // Words of the feed also match the author, and parts of words.
  text: reviewFilterTexts.search,
  since: reviewFilterTexts.published,
  until: reviewFilterTexts.published,
  status: triageTexts.status,
  assignee: triageTexts.assignee,
  tag: triageTexts.tag,
}
