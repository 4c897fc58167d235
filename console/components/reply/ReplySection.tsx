import { useQuery } from '@tanstack/react-query'
import { replyQuery } from '../../data/replies.ts'
import { replyTexts } from '../../messages/replies.ts'
import { Section } from '../../ui/Section.tsx'
import { Failed, LoadingLines } from '../../ui/States.tsx'
import { Answer } from './Answer.tsx'

/** The answer to a review: what the store shows, what is under way, and a form to write or replace it. */
export function ReplySection({ fingerprint }: { readonly fingerprint: string }) {
  const panel = useQuery(replyQuery(fingerprint))
  return (
    <Section title={replyTexts.title}>
      {panel.isPending && <LoadingLines lines={2} />}
      {panel.isError && <Failed error={panel.error} onRetry={() => panel.refetch()} />}
      {panel.data !== undefined && <Answer fingerprint={fingerprint} reply={panel.data} />}
    </Section>
  )
}
