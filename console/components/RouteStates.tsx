import { Container } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { commonTexts } from '../messages/common.ts'
import { shellTexts } from '../messages/shell.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed } from '../ui/States.tsx'

/** Shown for a URL without a page. */
export function UnknownPage() {
  return (
    <>
      <PageHeader title={shellTexts.notFoundTitle} about={shellTexts.notFoundAbout} />
      <ButtonLink to="/">{commonTexts.goToOverview}</ButtonLink>
    </>
  )
}

/** Shown when the session check of a route fails or its page throws. */
export function RouteFailed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Container size="sm" py="xl">
      <Failed
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={() => void router.invalidate()}
      />
    </Container>
  )
}
