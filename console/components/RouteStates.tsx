import { Alert, Button, Container, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { RequestFailed } from '../data/request.ts'
import { commonTexts } from '../messages/common.ts'
import { brokenTexts, shellTexts } from '../messages/shell.ts'
import { ButtonLink } from '../ui/links.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Failed } from '../ui/States.tsx'
import { useCopy } from '../ui/use-copy.ts'
import { basePath } from '../util/base-path.ts'

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
export function RouteFailed({ error }: Pick<ErrorComponentProps, 'error'>) {
  const router = useRouter()
  if (!(error instanceof RequestFailed)) return <PageBroken error={error} />
  return (
    <Container size="sm" py="xl">
      <Failed error={error} onRetry={() => void router.invalidate()} />
    </Container>
  )
}

/** Shown instead of a page, or of the whole console, that throws: a bug. It needs no router. */
export function PageBroken({ error }: Pick<ErrorComponentProps, 'error'>) {
  const { copied, copy } = useCopy(detailsOf(error))
  return (
    <Container size="sm" py="xl">
      <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={brokenTexts.title} role="alert">
        <Stack align="flex-start" gap="xs">
          <Text size="sm">{brokenTexts.note}</Text>
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => window.location.reload()}>
              {brokenTexts.reload}
            </Button>
            <Button size="xs" variant="default" component="a" href={`${basePath}/`}>
              {commonTexts.goToOverview}
            </Button>
            <Button size="xs" variant="subtle" onClick={copy}>
              {copied ? commonTexts.copied : brokenTexts.copyDetails}
            </Button>
          </Group>
        </Stack>
      </Alert>
    </Container>
  )
}

/** For a report: the page without its search, which may have names, the browser, and where the error occurred. */
function detailsOf(error: unknown): string {
  const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [window.location.pathname, navigator.userAgent, thrown].join('\n')
}
