import type { ReviewRow } from '../../../src/contract/v1/reviews.ts'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { useMayChange } from '../MayChange.tsx'
import { useBulkTriage } from './use-bulk-triage.tsx'

/** Keys for the review of a list that has the focus: `s` seen, `d` done. They can be undone, since a key is pressed by mistake. */
export function TriageKeys({ reviews }: { readonly reviews: readonly ReviewRow[] }) {
  const triage = useBulkTriage()
  const mayChange = useMayChange()
  const mark = (status: 'seen' | 'done') => {
    const card = document.activeElement?.closest<HTMLElement>('[data-fingerprint]')
    const review = reviews.find(({ fingerprint }) => fingerprint === card?.dataset.fingerprint)
    if (review !== undefined && mayChange)
      void triage([review], { status }, triageTexts.marked(TRIAGE_STATUS_NAMES[status]))
  }
  usePageKeys([
    ['s', () => mark('seen')],
    ['d', () => mark('done')],
  ])
  return null
}
