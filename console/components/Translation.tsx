import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../data/session.ts'
import { translationQuery } from '../data/translation.ts'
import { reviewTexts } from '../messages/reviews.tsx'
import { useMayChange } from './MayChange.tsx'

/** A button that translates a review, and the translation. Nothing without a model server. */
export function Translation({ fingerprint }: { readonly fingerprint: string }) {
  const { translates } = useSession()
  // Each costs a request to the model server.
  const mayChange = useMayChange()
  const translation = useQuery(translationQuery(fingerprint))
  if (!translates || !mayChange) return null
  const { data, error, isFetching } = translation
  if (data !== undefined) {
    return (
      <section aria-label={reviewTexts.translation}>
        <Text size="xs" c="dimmed">
          {reviewTexts.translatedBy}
        </Text>
        {data.title !== null && (
          <Text fw={600} className="untrusted-text">
            {data.title}
          </Text>
        )}
        <Text className="untrusted-text">{data.body}</Text>
      </section>
    )
  }
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={isFetching}
        onClick={() => void translation.refetch()}
      >
        {reviewTexts.translate}
      </Button>
      {error !== null && !isFetching && (
        <Text size="sm" c="red" role="alert">
          {error.message}
        </Text>
      )}
    </div>
  )
}
