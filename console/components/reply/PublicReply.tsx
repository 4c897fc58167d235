import { Blockquote, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReviewDetail } from '../../../src/contract/v1/reviews.ts'
import { replyQuery } from '../../data/replies.ts'
import { replyTexts } from '../../messages/replies.ts'
import { Instant } from '../../ui/Instant.tsx'
import { Section } from '../../ui/Section.tsx'

type Props = { readonly review: Pick<ReviewDetail, 'fingerprint' | 'public_reply'> }

/** The answer that the public page of the store shows, unless the section of the account's answer shows the same text. */
export function PublicReply({ review: { fingerprint, public_reply: publicReply } }: Props) {
  const panel = useQuery(replyQuery(fingerprint))
  if (publicReply === null || panel.isPending || panel.data?.shown_text === publicReply.text) return null
  return (
    <Section title={replyTexts.publicTitle} about={replyTexts.publicAbout}>
      {publicReply.replied_at !== null && (
        <Text size="sm" c="dimmed">
          {replyTexts.answered} <Instant at={publicReply.replied_at} />
        </Text>
      )}
      <Blockquote p="sm" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {publicReply.text}
      </Blockquote>
    </Section>
  )
}
